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
 * Makes the calls of user code before and after a step, each between {@link UserCodeGuard#enter()} and {@link UserCodeGuard#exit()}. The
 * step itself is in {@link TickRunner}. Exceptions of user code are passed on; the thread then counts as within user code until
 * {@link UserCodeGuard#exitIfEntered()}.
 *
 * <p>Physics thread only. Allocates nothing after construction.
 */
final class UserCode {

    private final UserCodeGuard guard;
    private final Simulation simulation;
    private final boolean checksums;
    private final SnapshotWriter writer;
    private final Capture capture;
    private final EventHub events;
    private final EventHub.Source contacts;
    private final Hooks hooks;
    private boolean reportedQuarantined;

    UserCode(
            UserCodeGuard guard,
            Settings settings,
            SnapshotWriter writer,
            Capture capture,
            EventHub events,
            Hooks hooks) {
        this.guard = guard;
        simulation = settings.simulation;
        checksums = settings.checksums;
        this.writer = writer;
        this.capture = capture;
        this.events = events;
        this.hooks = hooks;
        contacts = simulation::events;
    }

    void begin() throws Exception {
        guard.enter();
        simulation.begin();
        guard.exit();
    }

    void move(Movable movable) {
        guard.enter();
        movable.moveToCallingThread();
        guard.exit();
    }

    /** Runs the commands of a queue, as one call of user code. Returns whether there were any. */
    boolean run(CommandQueue queue, long tick) {
        guard.enter();
        boolean some = queue.run(tick);
        guard.exit();
        return some;
    }

    /** Guarded, because it may read from a disk or network, or restore the state of the simulation. */
    void poll(TickSource source) {
        guard.enter();
        source.poll();
        guard.exit();
    }

    /** Captures the poses of a tick into the next snapshot. */
    Snapshot capture(long tick, long dueNanos, long simulationTick, TickSource mainSource) throws Exception {
        WritableSnapshot snapshot = writer.nextSnapshot();
        snapshot.startTick(tick, dueNanos);
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
            guard.enter();
            hooks.fault(
                    TickFault.Reason.NOT_FINITE, snapshot.simulationTick(), null, capture.firstQuarantined(snapshot));
            guard.exit();
            FailureReport.warn(
                    () -> "Thread '" + Thread.currentThread().getName() + "' has captured a value that is not"
                            + " finite, a position beyond 1e18 m, or a rotation that is not normalised: "
                            + capture.firstQuarantined(snapshot)
                            + ". Readers see the last good one, for as long as it is so."
                            + " It is the first; those after it are only counted, in quarantinedPoses().");
        }
    }

    /**
     * Collects and delivers events. After publishing, so that readers can see the tick of every event. The snapshot of the tick before is
     * not overwritten yet, because a window has at least two. If the simulation throws, what it reported before is delivered.
     */
    void deliverEvents(@Nullable Snapshot before, Snapshot written) throws Exception {
        guard.enter();
        try {
            events.collect(before, written, contacts);
        } finally {
            guard.exit(); // if the thread was abandoned meanwhile, nothing of it is seen any more
            events.deliver();
        }
    }

    /** Delivers which bodies were spawned and despawned in a tick without a step, which has no contacts. */
    void deliverLifecycles(@Nullable Snapshot before, Snapshot written) {
        events.collectLifecycles(before, written);
        events.deliver();
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
