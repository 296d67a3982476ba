package dev.escapement.physics;

import dev.escapement.state.input.InputSource;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link PhysicsServiceBuilder} when it builds.
 *
 * @param mayWaitForDisk whether a recording may delay ticks to wait for the disk; true for an {@link InlineDriver}
 */
record Settings(
        TickRate rate,
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
        @Nullable RecordedRun replay,
        Pacing pacing,
        double spinShare,
        Waiting waiting,
        ThreadFactory threads,
        long watchdogNanos,
        long closeTimeoutNanos) {}
