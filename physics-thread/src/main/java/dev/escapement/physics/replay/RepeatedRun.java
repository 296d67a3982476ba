package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.io.IOException;
import java.util.Optional;

/**
 * Replays the ticks of a log without a clock: each tick is due at its simulated time.
 *
 * <p>One thread.
 */
final class RepeatedRun implements AutoCloseable {

    final Simulation simulation;
    private final InputLog log;
    private final ReplayCheck check;
    private final EventHub events = new EventHub();
    private LogReader reader;
    private boolean begun;

    /** Takes ownership of a simulation that has not begun, and closes it if it does not match the log. */
    RepeatedRun(InputLog log, Simulation simulation) throws IOException {
        this.log = log;
        this.simulation = simulation;
        try {
            check = new ReplayCheck(log, simulation instanceof BodyStates bodies ? bodies : null);
            simulation.commands().require(log.commandTypes());
            reader = log.reader();
        } catch (Throwable refused) {
            simulation.close();
            throw refused;
        }
    }

    /** The last tick that the simulation has run. */
    long at() {
        return reader.tick().number();
    }

    /** Calls {@link Simulation#begin()}, once. */
    void begin() throws Exception {
        if (!begun) {
            begun = true;
            simulation.begin();
        }
    }

    void step() throws Exception {
        begin();
        long fromNanos = dueNanos(at());
        read();
        LoggedTick recorded = reader.tick();
        long dueNanos = dueNanos(at());
        recorded.moveTo(fromNanos, dueNanos);
        for (int command = 0; command < recorded.commands().size(); command++) {
            recorded.runCommand(command, simulation.commands());
        }
        boolean eventsWanted = events.beginTick(recorded.eventsWanted());
        simulation.step(new Tick(log.rate(), at(), dueNanos, recorded.budgetUsed(), recorded.input(), eventsWanted));
        check.check(recorded, simulation.hash());
        events.discard(simulation::events); // there are no subscribers, but contacts must not pile up
    }

    /** Moves the log to the tick whose state the caller has restored. */
    void restoredTo(long number) throws IOException {
        if (number < at()) {
            reader.close();
            reader = log.reader();
        }
        while (at() < number) {
            read(); // every tick is read, because the levels depend on all of them
        }
    }

    /** Captures the poses after the last step into a new snapshot that has no predecessor. */
    Snapshot capture(PoseLayout layout) throws Exception {
        WritableSnapshot snapshot = new WritableSnapshot(0, layout);
        snapshot.startTick(at(), dueNanos(at()));
        new Capture(simulation::capture, layout, log.rate(), 0).captureInto(snapshot, null);
        return snapshot;
    }

    Optional<Divergence> divergence() {
        return check.divergence();
    }

    @Override
    public void close() throws IOException {
        try {
            simulation.close();
        } finally {
            reader.close();
        }
    }

    private void read() throws IOException {
        if (!reader.next()) {
            throw new IOException("tick " + (at() + 1) + " is not in the log any more: " + log);
        }
    }

    private long dueNanos(long number) {
        return log.rate().nanosAt(number);
    }
}
