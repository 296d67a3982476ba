package dev.escapement.physics;

import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputRing.PausedListener;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of user code before and after a step, each guarded on its own. {@link TickRunner} calls the step itself, {@link Hooks} the
 * hooks. Passes on what user code throws.
 *
 * <p>Physics thread only. Allocates nothing after construction.
 */
final class GuardedCalls {

    private final UserCodeGuard guard;
    private final boolean checksums;
    private final SnapshotWriter writer;
    private final Capture capture;
    private final EventHub events;
    private final EventHub.Source contacts;
    private final Hooks hooks;
    private boolean reportedQuarantined;

    GuardedCalls(
            UserCodeGuard guard,
            Settings settings,
            SnapshotWriter writer,
            Capture capture,
            EventHub events,
            Hooks hooks) {
        this.guard = guard;
        checksums = settings.checksums;
        this.writer = writer;
        this.capture = capture;
        this.events = events;
        this.hooks = hooks;
        contacts = settings.simulation::events;
    }

    /** Runs the waiting commands of a queue as one call of user code, because most are short. Returns whether any ran. */
    boolean run(CommandQueue queue, long tick) {
        guard.enter();
        boolean some = queue.run(tick);
        guard.exit();
        return some;
    }

    /** Polls the source of the ticks, which may read a disk or a network, or restore a state of the simulation. */
    void poll(TickSource source) {
        guard.enter();
        source.poll();
        guard.exit();
    }

    /** Captures the poses of a tick into the next snapshot. */
    Snapshot capture(TickTimes times, long simulationTick, TickSource mainSource) throws Exception {
        WritableSnapshot snapshot = writer.nextSnapshot();
        snapshot.startTick(times.tick, times.dueNanos);
        snapshot.simulationTick(simulationTick);
        snapshot.inputsTaken(mainSource.inputsTaken());
        guard.enter();
        capture.captureInto(snapshot, writer.latest());
        guard.exit();
        reportQuarantined(snapshot);
        if (checksums) {
            snapshot.seal();
        }
        return snapshot;
    }

    private void reportQuarantined(Snapshot snapshot) {
        if (!reportedQuarantined && capture.quarantinedPoses() > 0) {
            reportedQuarantined = true;
            String which = capture.firstQuarantined(snapshot);
            guard.call(() -> hooks.fault(TickFault.Reason.NOT_FINITE, snapshot.simulationTick(), null, which));
            FailureReport.warn(
                    () -> "Thread '" + Thread.currentThread().getName() + "' has captured a value that is not"
                            + " finite, a position beyond 1e18 m, or a rotation that is not normalised: " + which
                            + ". Readers see the last good one, for as long as it is so."
                            + " It is the first; those after it are only counted, in quarantinedPoses().");
        }
    }

    /**
     * Collects and delivers the events of a tick. Call it after publishing, so that readers can see the tick of every event. The writer has
     * not overwritten the snapshot {@code before} yet, because a window has at least two. If the simulation throws, streams still receive the
     * events that it reported first.
     */
    void deliverEvents(@Nullable Snapshot before, Snapshot written) throws Exception {
        guard.enter();
        try {
            events.collect(before, written, contacts);
        } finally {
            guard.exit(); // throws if the thread was abandoned meanwhile: then no stream receives its events
            events.deliver();
        }
    }

    /** Guards each call of a listener on its own. */
    static @Nullable PausedListener guarded(@Nullable PausedListener listener, UserCodeGuard guard) {
        return listener == null
                ? null
                : (event, state) -> {
                    guard.enter();
                    listener.happened(event, state);
                    guard.exit();
                };
    }
}
