package dev.escapement.physics.replay.log;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Shows any tick of a recorded run, forwards and backwards. It re-simulates up to the tick, from a saved state if the simulation is {@link
 * Restorable} and accepts the state, otherwise from the start. A tick has the same poses, no matter which ticks were shown before.
 *
 * <pre>{@code
 * try (Scrubber scrubber = new Scrubber(log, () -> simulationAround(makeWorld()), PoseLayout.PLAIN)) {
 *     draw(scrubber.goTo(500));
 *     draw(scrubber.goTo(499));
 * }
 * }</pre>
 *
 * <p>One thread. Keeps at most {@value #STATES} states of a run, evenly spread. Discards events.
 */
public final class Scrubber implements AutoCloseable {

    static final int STATES = 128;

    /** Maximum number of bytes of all kept states. With fewer states {@link #goTo} re-simulates more ticks. */
    private static final long MAX_BYTES = 256L << 20;

    private final InputLog log;
    private final Supplier<? extends Simulation> simulations;
    private final PoseLayout layout;

    private LogRunner runner;

    /** The kept states by position, since the last seek of the run. */
    private final TreeMap<Long, StateBuffer> states = new TreeMap<>();

    private boolean captured;

    /** Whether an exception may have left the simulation halfway through a tick. */
    private boolean broken;

    /** The first divergence that an earlier simulation of this scrubber found. */
    private Optional<TickSource.Divergence> earlier = Optional.empty();

    /**
     * Opens a run at its start.
     *
     * @param log         the recorded run
     * @param simulations creates a simulation in the state in which the run began, once for each pass; the scrubber closes them
     * @param layout      the layout of the poses
     * @throws IllegalArgumentException if the simulation has other settings than recorded
     * @throws IOException              if the log cannot be read any more
     */
    public Scrubber(InputLog log, Supplier<? extends Simulation> simulations, PoseLayout layout) throws IOException {
        this.log = log;
        this.simulations = simulations;
        this.layout = layout;
        runner = newRunner();
    }

    /**
     * Goes to a tick. If that fails, the next call starts with a new simulation.
     *
     * @param position the tick's position, {@link InputLog#firstTick()} to {@link InputLog#lastPosition()}
     * @return the poses after the tick, which the caller may keep
     * @throws IllegalArgumentException if the log has no such position
     * @throws Exception                if the simulation throws, or the log cannot be read
     */
    public Snapshot goTo(long position) throws Exception {
        if (position < log.firstTick() || position > log.lastPosition()) {
            throw new IllegalArgumentException("position " + position + " cannot be shown: the log has positions "
                    + log.firstTick() + " to " + log.lastPosition());
        }
        if (broken) {
            startAnew();
        }
        broken = true;
        if (runner.simulation.capability(Restorable.class).isPresent()) {
            goToFromAState(position);
        } else {
            goToFromTheStart(position);
        }
        captured = true;
        Snapshot shown = runner.capture(runner.newCapture(layout), layout, null);
        broken = false;
        return shown;
    }

    private void goToFromAState(long position) throws Exception {
        runner.begin();
        Restorable restorable = runner.simulation.capability(Restorable.class).orElseThrow();
        keepState(restorable);
        Map.Entry<Long, StateBuffer> from = states.floorEntry(position);
        if (from == null) { // a seek in the log has discarded the earlier states, so none leads to the position
            startAnew();
            goToFromAState(position);
            return;
        }
        if (position < runner.position() || from.getKey() > runner.position()) {
            try {
                from.getValue().rewind();
                restorable.restore(from.getValue());
            } catch (IllegalStateException otherBodies) {
                startAnew();
                goToFromAState(position);
                return;
            }
            runner.restoredTo(from.getKey());
        }
        while (runner.position() < position) {
            if (!runner.step()) {
                states.clear();
            }
            keepState(restorable);
        }
        // Restores the current state, so that the capture sets every body. Else it would leave out bodies that rest.
        StateBuffer here = new StateBuffer();
        restorable.save(here);
        here.rewind();
        restorable.restore(here);
    }

    /** Keeps the current state if enough ticks have run since the last kept one, so that the kept states are evenly spread. */
    private void keepState(Restorable restorable) {
        if (!states.isEmpty()) {
            int bytes = states.lastEntry().getValue().size();
            // One interval less than states, because a state is at each end.
            long intervals = Math.min(STATES, MAX_BYTES / Math.max(1, bytes)) - 1;
            if ((runner.position() - states.lastKey()) * intervals < log.ticks()) {
                return;
            }
        }
        StateBuffer state = new StateBuffer();
        restorable.save(state);
        states.put(runner.position(), state);
    }

    private void goToFromTheStart(long position) throws Exception {
        if (captured || position < runner.position()) {
            startAnew();
        }
        while (runner.position() < position) {
            runner.step();
        }
    }

    private LogRunner newRunner() throws IOException {
        return new LogRunner(log, simulations.get());
    }

    private void startAnew() throws IOException {
        LogRunner previous = runner;
        runner = newRunner();
        states.clear();
        captured = false;
        earlier = earlier.or(previous::divergence);
        previous.close();
    }

    /**
     * {@return the first simulated tick after which the state differed from the recorded one; empty if none did} From that tick on, the
     * poses differ from those of the run.
     */
    public Optional<TickSource.Divergence> divergence() {
        return earlier.or(runner::divergence);
    }

    /** Closes the simulation. */
    @Override
    public void close() {
        runner.close();
    }
}
