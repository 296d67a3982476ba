package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.io.IOException;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Shows any tick of a recorded run, forwards and backwards, by simulating up to it again: from a saved state if the simulation is
 * {@link Restorable} and can restore it, otherwise from the start. A tick has the same poses, no matter which ticks were shown before.
 *
 * <pre>{@code
 * try (Scrubber scrubber = new Scrubber(log, () -> simulationAround(makeWorld()), PoseLayout.PLAIN)) {
 *     draw(scrubber.goTo(500));
 *     draw(scrubber.goTo(499));
 * }
 * }</pre>
 *
 * <p>One thread. Keeps {@value #MAX_KEYFRAMES} states at most, evenly spread over the run so far. Events are discarded.
 */
public final class Scrubber implements AutoCloseable {

    /** At most this many states are kept. */
    public static final int MAX_KEYFRAMES = 128;

    private final InputLog log;
    private final Supplier<? extends Simulation> simulations;
    private final PoseLayout layout;

    /** By the tick after which they were saved: every {@link #spacing} ticks. */
    private final NavigableMap<Long, StateBuffer> keyframes = new TreeMap<>();

    private long spacing = 1;
    private RepeatedRun run;

    /** The tick after which the log starts. */
    private final long start;

    private boolean captured;

    /** Whether an exception may have left the simulation halfway through a tick. */
    private boolean broken;

    /** The first divergence of the runs before this one. */
    private Optional<Divergence> earlier = Optional.empty();

    /**
     * Opens a run at its start.
     *
     * @param log         the recorded run
     * @param simulations creates a simulation in the state in which the run began, once for each pass; this closes them
     * @param layout      what a pose consists of
     * @throws IllegalArgumentException if body states have other components than recorded
     * @throws IOException              if the log cannot be read any more
     */
    public Scrubber(InputLog log, Supplier<? extends Simulation> simulations, PoseLayout layout) throws IOException {
        this.log = log;
        this.simulations = simulations;
        this.layout = layout;
        start = log.start().tick();
        run = new RepeatedRun(log, simulations.get());
    }

    /**
     * Goes to a tick. If that fails, the next call starts with a new simulation.
     *
     * @param tick the first to the last tick of the log
     * @return the poses after it, which the caller may keep
     * @throws IllegalArgumentException if the run has no such tick
     * @throws Exception                if the simulation throws, or the log cannot be read
     */
    public Snapshot goTo(long tick) throws Exception {
        if (tick < log.firstTick() || tick > log.lastTick()) {
            throw new IllegalArgumentException("tick " + tick + " cannot be shown: the run has ticks " + log.firstTick()
                    + " to " + log.lastTick());
        }
        if (broken) {
            startAnew();
        }
        broken = true;
        Optional<Restorable> restorable = run.simulation.capability(Restorable.class);
        if (restorable.isPresent()) {
            goTo(tick, restorable.get());
        } else {
            goToFromTheStart(tick);
        }
        captured = true;
        Snapshot shown = run.capture(run.newCapture(layout), layout, null);
        broken = false;
        return shown;
    }

    private void goTo(long tick, Restorable restorable) throws Exception {
        run.begin();
        keep(restorable);
        long kept = keyframes.floorKey(tick);
        if (tick < run.at() || kept > run.at()) {
            restore(kept, restorable);
        }
        // May be another one than before.
        Restorable now = run.simulation.capability(Restorable.class).orElseThrow();
        while (run.at() < tick) {
            run.step();
            keep(now);
        }
        // A capture leaves out bodies that rest and were captured before. After a restore it sets every body.
        StateBuffer here = new StateBuffer();
        now.save(here);
        here.rewind();
        now.restore(here);
    }

    /** Keeps the state here, if the spacing puts one here. When all places are used, every second one is dropped. */
    private void keep(Restorable simulation) {
        if (keyframes.size() == MAX_KEYFRAMES) {
            spacing *= 2;
            keyframes.keySet().removeIf(tick -> (tick - start) % spacing != 0);
        }
        if ((run.at() - start) % spacing == 0 && !keyframes.containsKey(run.at())) {
            StateBuffer state = new StateBuffer();
            simulation.save(state);
            keyframes.put(run.at(), state);
        }
    }

    /** Restores a kept state. If bodies came or went in between, a new simulation starts at the beginning instead. */
    private void restore(long kept, Restorable restorable) throws IOException {
        try {
            StateBuffer state = Objects.requireNonNull(keyframes.get(kept));
            state.rewind();
            restorable.restore(state);
            run.restoredTo(kept);
        } catch (IllegalStateException otherBodies) {
            startAnew();
        }
    }

    private void goToFromTheStart(long tick) throws Exception {
        if (captured || tick < run.at()) {
            startAnew();
        }
        while (run.at() < tick) {
            run.step();
        }
    }

    private void startAnew() throws IOException {
        if (!log.returns().isEmpty()) {
            keyframes.clear(); // the new run has to simulate the ticks to which it goes back
        }
        RepeatedRun previous = run;
        run = new RepeatedRun(log, simulations.get());
        captured = false;
        earlier = earlier.or(previous::divergence);
        previous.close();
    }

    /**
     * {@return the first of the simulated ticks after which the state differed from the recorded one; empty if none did} From there on the
     * poses are not those of the run.
     */
    public Optional<Divergence> divergence() {
        return earlier.or(run::divergence);
    }

    /** Closes the simulation. */
    @Override
    public void close() throws IOException {
        run.close();
    }
}
