package dev.escapement.physics;

import dev.escapement.state.input.InputSource;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link PhysicsServiceBuilder} when it builds.
 *
 * @param mayWaitForDisk whether a recording may delay ticks to wait for the disk; true for an {@link InlineDriver}
 */
record Settings(
        TickRate rate,
        long firstTick,
        LateTicks lateTicks,
        boolean mayWaitForDisk,
        PoseLayout layout,
        int preallocatedBodies,
        int windowSize,
        int maxReaders,
        boolean checksums,
        int inputCapacity,
        List<InputSource> sources,
        @Nullable PausedInputListener pausedInput,
        @Nullable Consumer<? super Throwable> onFailure,
        int commandCapacity,
        int commandsPerTick,
        TickListener listener,
        @Nullable TickRecorder recorder,
        TickSource.@Nullable Run run,
        Pacing pacing,
        double spinShare,
        Waiting waiting,
        ThreadFactory threads,
        long watchdogNanos,
        long closeTimeoutNanos) {

    private static final long MOST_DAYS = 36_525;

    Settings {
        if (!(spinShare >= 0 && spinShare <= 1)) {
            throw new IllegalArgumentException("the share of a core to spin must be within 0 and 1, but is " + spinShare
                    + "; the default is " + Pacer.DEFAULT_SPIN_SHARE);
        }
        if (run != null && !rate.equals(run.rate())) {
            throw new IllegalArgumentException(
                    "the log says " + run.rate() + ", but ticks are to run at " + rate + "; set both to the same rate");
        }
        long mostTick = rate.tickAt(TimeUnit.DAYS.toNanos(MOST_DAYS));
        if (firstTick < 1 || firstTick > mostTick) {
            throw new IllegalArgumentException("at " + rate + " the first tick must be 1 to " + mostTick + ", but is "
                    + firstTick + "; where ticks go on, it is lastTick() + 1");
        }
        if (firstTick > 1 && (run != null || recorder != null)) {
            throw new IllegalArgumentException("a log has every tick from 1 on, but the first tick is to be "
                    + firstTick + "; leave out firstTick, or record and replay nothing");
        }
    }
}
