package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.scene.Ball;

/** Draws what should be seen, computed for the moment of display: what is measured of it is the loop's and the system's alone. */
final class AnalyticPicture extends Picture {

    private final long startNanos;

    AnalyticPicture(long startNanos) {
        this.startNanos = startNanos;
    }

    @Override
    public void frame(long nowNanos, long displayNanos) {
        drawn(displayNanos - startNanos, Ball.START_METRES);
    }
}
