package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of user code in a tick that may take long, each between {@link UserCodeGuard#enter()} and {@link UserCodeGuard#exit()}: a
 * thread that was abandoned in such a call gets an exception when it returns. Exceptions of user code are passed on; the thread then counts
 * as within user code until {@link UserCodeGuard#exitIfEntered()}.
 *
 * <p>Physics thread only. Allocates nothing after construction.
 */
final class UserCode {

    private final UserCodeGuard guard;
    private final Simulation simulation;
    private final EventHub.Source contacts;
    private final TickListener listener;
    private final TickObserver observer;
    private boolean reportedQuarantined;

    UserCode(UserCodeGuard guard, Simulation simulation, TickListener listener, TickObserver observer) {
        this.guard = guard;
        this.simulation = simulation;
        this.listener = listener;
        this.observer = observer;
        contacts = simulation::events;
    }

    void begin() throws Exception {
        guard.enter();
        simulation.begin();
        guard.exit();
    }

    /** Guarded, because it saves the state of the simulation, and may restore one. */
    void start(Rewinder rewinder) throws Exception {
        guard.enter();
        rewinder.start();
        guard.exit();
    }

    /** Guarded, because it may restore the state of the simulation, and step it. */
    void correct(Rewinder rewinder) {
        if (rewinder.corrects) {
            guard.enter();
            rewinder.correct();
            guard.exit();
        }
    }

    /** Runs the commands of a queue. Returns whether there were any. */
    boolean run(CommandQueue queue, long tick) {
        guard.enter();
        boolean some = queue.run(tick);
        guard.exit();
        return some;
    }

    void step(Tick tick) throws Exception {
        guard.enter();
        simulation.step(tick);
        guard.exit();
    }

    long stateHash() {
        guard.enter();
        long hash = simulation.hash();
        guard.exit();
        return hash;
    }

    /** Guarded, because it may save the state of the simulation. */
    void beginTick(Tick tick) {
        guard.enter();
        observer.beginTick(tick);
        guard.exit();
    }

    /** Guarded, because it hashes and may save the state of the simulation. */
    void endTick(long tick, long tookNanos) {
        guard.enter();
        observer.endTick(tick, tookNanos);
        guard.exit();
    }

    /** Guarded, because it reads the state of bodies from the simulation. */
    void record(TickRecorder recorder, Tick tick, List<CommandData> commands, boolean localRan, long stateHash) {
        guard.enter();
        recorder.tick(tick, commands, localRan, stateHash);
        guard.exit();
    }

    /** Guarded, because it saves the state of the simulation. */
    void published(Rewinder rewinder, long tick, boolean bodiesChanged) {
        guard.enter();
        rewinder.published(tick, bodiesChanged);
        guard.exit();
    }

    /** Guarded, because it may read from a disk or network, or restore the state of the simulation. */
    void poll(TickSource source) {
        guard.enter();
        source.poll();
        guard.exit();
    }

    /** Guarded, because it may read from a disk. */
    void take(TickSource source, long tick) throws IOException {
        guard.enter();
        source.take(tick);
        guard.exit();
    }

    /** Guards each command separately: a thread that is abandoned in one runs no other, and many quick ones are no hang. */
    void repeat(TickSource source) {
        for (int command = 0; command < source.commands().size(); command++) {
            guard.enter();
            source.runCommand(command);
            guard.exit();
        }
    }

    /** Guarded, because it reads the state of bodies from the simulation if the hashes differ. */
    void compare(TickSource source, long stateHash) {
        guard.enter();
        source.compare(stateHash);
        guard.exit();
    }

    Snapshot writeAside(Capture capture, Snapshot latest) throws Exception {
        guard.enter();
        Snapshot written = capture.captureAside(latest);
        guard.exit();
        return written;
    }

    void write(Capture capture, WritableSnapshot snapshot, @Nullable Snapshot latest) throws Exception {
        guard.enter();
        capture.captureInto(snapshot, latest);
        guard.exit();
        if (!reportedQuarantined && capture.quarantinedPoses() > 0) {
            reportedQuarantined = true;
            observer.fault(new TickFault(
                    TickFault.Reason.NOT_FINITE, snapshot.simulationTick(), null, capture.firstQuarantined(snapshot)));
            FailureReport.warn(
                    () -> "Thread '" + Thread.currentThread().getName() + "' has captured a value that is not"
                            + " finite, a position beyond 1e18 m, or a rotation that is not normalised: "
                            + capture.firstQuarantined(snapshot)
                            + ". Readers see the last good one, for as long as it is so."
                            + " It is the first; those after it are only counted, in quarantinedPoses().");
        }
    }

    /** Leaves the guard even if user code throws, because the events that were collected before are then delivered. */
    void collect(EventHub events, @Nullable Snapshot before, Snapshot written) throws Exception {
        guard.enter();
        try {
            events.collect(before, written, contacts);
        } finally {
            guard.exit();
        }
    }

    /** As {@link #collect}, for a tick that runs again, and whose events are wanted. */
    void collectAgain(EventHub events, long tick, Snapshot before, Snapshot written) throws Exception {
        guard.enter();
        events.collectAgain(tick, before, written, contacts);
        guard.exit();
    }

    void ticked(TickTimes times, @Nullable Rewound rewound) {
        guard.enter();
        if (rewound != null) {
            listener.rewound(rewound);
        }
        listener.ticked(times.tick, times.dueNanos, times.startedNanos, times.steppedNanos, times.publishedNanos);
        guard.exit();
    }

    /** Guards each call of a listener separately: a thread that is abandoned in one makes no other, and many quick ones are no hang. */
    static @Nullable PausedInputListener guarded(@Nullable PausedInputListener listener, UserCodeGuard guard) {
        return listener == null
                ? null
                : (event, state) -> {
                    guard.enter();
                    listener.happened(event, state);
                    guard.exit();
                };
    }
}
