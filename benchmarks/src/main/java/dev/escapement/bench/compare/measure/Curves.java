package dev.escapement.bench.compare.measure;

import dev.escapement.bench.measure.Series;

/**
 * What a contestant's frames looked like, one point per frame, over the seconds at which they were displayed since the end of the
 * warm-up.
 *
 * @param ballHeight  metres
 * @param errorMillis animation error, signed
 * @param aheadMillis how far simulated time has run ahead of real time since the first of these frames
 */
public record Curves(Series ballHeight, Series errorMillis, Series aheadMillis) {

    Curves(double expectedFrames) {
        this(new Series(expectedFrames), new Series(expectedFrames), new Series(expectedFrames));
    }
}
