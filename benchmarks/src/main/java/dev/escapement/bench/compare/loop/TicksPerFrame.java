package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.bench.loop.MeanFrameRateLoop;
import dev.escapement.bench.loop.SoftenedOverloadLoop;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.state.time.TickRate;
import java.util.function.DoubleToLongFunction;

/** Policies that do not say how much time passes in a frame, but how many ticks run. */
final class TicksPerFrame {

    private static final int FRAMES_IN_MEAN = 10;

    private TicksPerFrame() {}

    /** As many as the mean frame rate makes of the rate. */
    static FramePolicy byMeanFrameRate(TickRate rate) {
        return counted(rate, new MeanFrameRateLoop(rate.inHertz(), FRAMES_IN_MEAN)::frame);
    }

    /** As many as are due, less where they take too long. */
    static FramePolicy softened(TickRate rate, TickedScene scene) {
        SoftenedOverloadLoop loop = new SoftenedOverloadLoop(rate.dtSeconds(), true);
        return counted(
                rate,
                elapsedSeconds ->
                        loop.frame(elapsedSeconds, LoadProfile.DRAW_NANOS / 1e9, scene.takeMeanCostSeconds()));
    }

    private static FramePolicy counted(TickRate rate, DoubleToLongFunction ticksOfSeconds) {
        return (releasedNanos, elapsedNanos) -> {
            long ticks = ticksOfSeconds.applyAsLong(elapsedNanos / 1e9);
            return rate.nanosAt(rate.tickAt(releasedNanos) + ticks) - releasedNanos;
        };
    }
}
