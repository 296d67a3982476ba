package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.scene.WorkClock;
import java.util.function.LongConsumer;

/** Steps of whatever length a rule makes of the time that a frame took, then a picture. */
final class SteppedLoop implements GameLoop {

    private final WorkClock clock;
    private final LongConsumer rule;
    private final Picture picture;
    private long previousNanos;
    private boolean started;

    /** A loop that hands this rule, which steps the scene, the nanoseconds since the frame before. */
    SteppedLoop(Picture picture, WorkClock clock, LongConsumer rule) {
        this.clock = clock;
        this.rule = rule;
        this.picture = picture;
    }

    @Override
    public void frame() {
        long nowNanos = clock.nanoTime();
        rule.accept(started ? nowNanos - previousNanos : 0); // not the time since start-up
        started = true;
        previousNanos = nowNanos;
        picture.frame(nowNanos, nowNanos);
        clock.spend(LoadProfile.DRAW_NANOS);
    }

    @Override
    public Picture picture() {
        return picture;
    }
}
