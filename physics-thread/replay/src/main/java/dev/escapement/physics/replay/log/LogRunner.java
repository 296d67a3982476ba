package dev.escapement.physics.replay.log;

import dev.escapement.physics.loop.TickRunner;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replays the ticks of a log without a clock: each tick is due at its simulated time.
 *
 * <p>One thread.
 */
final class LogRunner implements AutoCloseable {

    final Simulation simulation;
    private final InputLog log;
    private final LogTicks ticks;
    private final TickRunner runner;
    private boolean begun;

    /** Takes ownership of a simulation that has not begun, and closes it if it does not match the log. */
    LogRunner(InputLog log, Simulation simulation) throws IOException {
        this.log = log;
        this.simulation = simulation;
        runner = new TickRunner(simulation, log.rate(), List.of());
        try {
            ticks = new LogTicks(log, simulation);
            ticks.openReader(); // refuses a log that cannot be read any more
        } catch (Throwable refused) {
            simulation.close();
            throw refused;
        }
    }

    /** Returns the position of the tick that the simulation has run last. */
    long position() {
        return ticks.position();
    }

    /** Returns the simulation tick at {@link #position()}. */
    long number() {
        return ticks.number();
    }

    void begin() throws Exception {
        if (!begun) {
            begun = true;
            simulation.begin();
            ticks.restoreStart();
        }
    }

    /** Runs the next tick. Returns false if the recorded run went back before that tick. */
    boolean step() throws Exception {
        begin();
        ticks.saveIfReturnedTo();
        long to = ticks.goesBackTo();
        if (to >= 0) {
            ticks.goBack();
        }
        long number = (to < 0 ? number() : to) + 1;
        runner.run(ticks, position() + 1, number, dueNanos(position()), dueNanos(position() + 1));
        runner.discardEvents();
        return to < 0;
    }

    /** Moves the log to the position whose state the caller has restored. */
    void restoredTo(long position) throws IOException {
        ticks.goTo(position);
    }

    Capture newCapture(PoseLayout layout) {
        return new Capture(simulation::capture, layout, log.rate(), 0);
    }

    /** Captures the poses after the last step into a new snapshot. {@code latest} is null for the first one. */
    Snapshot capture(Capture capture, PoseLayout layout, @Nullable Snapshot latest) throws Exception {
        WritableSnapshot snapshot = new WritableSnapshot(0, layout);
        snapshot.startTick(position(), dueNanos(position()));
        snapshot.simulationTick(number());
        capture.captureInto(snapshot, latest);
        return snapshot;
    }

    @Nullable
    Throwable thrown() {
        return ticks.thrown();
    }

    Optional<TickSource.Divergence> divergence() {
        return ticks.divergence();
    }

    @Override
    public void close() {
        try {
            simulation.close();
        } finally {
            ticks.close();
        }
    }

    private long dueNanos(long position) {
        return log.rate().nanosAt(position);
    }
}
