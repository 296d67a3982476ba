package dev.escapement.physics;

import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.Divergence;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.LogReader;
import dev.escapement.physics.replay.LoggedTick;
import dev.escapement.physics.replay.ReplayCheck;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.io.IOException;
import java.util.Optional;

/**
 * A simulation on its way through a recorded run, without a clock: its ticks are due when simulated time says so.
 *
 * <p>One thread.
 */
final class RepeatedRun implements AutoCloseable {

    final Simulation simulation;
    private final InputLog log;
    private final ReplayCheck check;
    private final Tick tick;
    private final EventHub events = new EventHub();
    private LogReader reader;
    private boolean begun;

    /** Takes the simulation over, at its start, and closes it if it is another one than the log's. */
    RepeatedRun(InputLog log, Simulation simulation) throws IOException {
        this.log = log;
        this.simulation = simulation;
        tick = new Tick(log.run().rate());
        try {
            check = new ReplayCheck(log, simulation instanceof BodyStates bodies ? bodies : null);
            reader = log.reader();
        } catch (Throwable refused) {
            simulation.close();
            throw refused;
        }
    }

    /** The tick after which the simulation is. */
    long at() {
        return reader.tick().number();
    }

    /** Tells the simulation which thread it has, before anybody asks it for anything. Idempotent. */
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
        tick.set(at(), dueNanos, recorded.budgetUsed(), recorded.input());
        tick.wantEvents(events.beginTick(recorded.eventsWanted()));
        simulation.step(tick);
        check.check(recorded, simulation.hash());
        events.discard(simulation::events); // nobody is told, but they must not pile up
    }

    /** Somebody has restored the simulation to the state after another tick. */
    void restoredTo(long number) throws IOException {
        if (number < at()) {
            reader.close();
            reader = log.reader();
        }
        while (at() < number) {
            read(); // what is held depends on all of them
        }
    }

    /** The poses after the last step, as if there had been none before. */
    Snapshot capture(PoseLayout layout) throws Exception {
        Snapshot snapshot = new Snapshot(0, layout);
        snapshot.begin(at(), dueNanos(at()));
        new Capture(simulation::capture, layout, log.run().rate(), 0).write(snapshot, null);
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
        return log.run().rate().nanosAt(number);
    }
}
