package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.scene.WorkClock;
import dev.escapement.state.time.TickRate;

/** A loop whose frames wait until a tick's time has passed since the one before began. */
final class FrameLimiter implements GameLoop {

    private final GameLoop loop;
    private final WorkClock clock;
    private final long periodNanos;
    private long previousNanos;
    private boolean started;

    FrameLimiter(GameLoop loop, WorkClock clock, TickRate rate) {
        this.loop = loop;
        this.clock = clock;
        periodNanos = rate.nanosAt(1);
    }

    @Override
    public void frame() {
        if (started) {
            clock.spend(Math.max(0, previousNanos + periodNanos - clock.nanoTime()));
        }
        started = true;
        previousNanos = clock.nanoTime();
        loop.frame();
    }

    @Override
    public Picture picture() {
        return loop.picture();
    }
}
