package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.store.HistoryStore;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.Divergence;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
 * <p>One thread. Keeps the ticks so far in memory, with {@value #STATES} states of a run at most, evenly spread. Events are
 * discarded.
 */
public final class Scrubber implements AutoCloseable {

    static final int STATES = 128;

    /** Of the states; if they are too few, it goes back further than it would have to. */
    private static final long MAX_BYTES = 256L << 20;

    private final InputLog log;
    private final Supplier<? extends Simulation> simulations;
    private final PoseLayout layout;

    private LogRunner run;

    /** From {@link #oldest} to {@link #newest}, in simulation ticks; null before the first tick of the run. */
    private @Nullable HistoryStore past;

    /** The published tick before the first one since the run last went back. */
    private long oldest;

    /** The last published tick that was simulated. */
    private long newest;

    /** By how much simulation ticks are behind published ticks, since {@link #oldest}. */
    private long behind;

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
     * @throws IllegalArgumentException if the simulation has other settings than recorded
     * @throws IOException              if the log cannot be read any more
     */
    public Scrubber(InputLog log, Supplier<? extends Simulation> simulations, PoseLayout layout) throws IOException {
        this.log = log;
        this.simulations = simulations;
        this.layout = layout;
        run = newRun();
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
        if (run.simulation.capability(Restorable.class).isPresent()) {
            goToFromAState(tick);
        } else {
            goToFromTheStart(tick);
        }
        captured = true;
        Snapshot shown = run.capture(run.newCapture(layout), layout, null);
        broken = false;
        return shown;
    }

    private void goToFromAState(long tick) throws Exception {
        run.begin();
        HistoryStore kept = past == null ? beginPast() : past;
        if (tick < oldest) { // before the run went back
            startAnew();
            goToFromAState(tick);
            return;
        }
        long from = Math.min(tick, newest);
        if (run.at() != from) {
            try {
                kept.past(from - behind).restore(run.simulation, false, null);
            } catch (IllegalArgumentException | IllegalStateException forgottenOrOtherBodies) {
                startAnew();
                goToFromAState(tick);
                return;
            }
            run.restoredTo(from);
        }
        while (run.at() < tick) {
            if (run.step()) {
                kept.atRest(run.number(), false);
                newest = run.at();
            } else {
                kept = beginPast();
            }
        }
        // A capture leaves out bodies that rest and were captured before. After a restore it sets every body.
        StateBuffer here = new StateBuffer();
        Restorable restorable = run.simulation.capability(Restorable.class).orElseThrow();
        restorable.save(here);
        here.rewind();
        restorable.restore(here);
    }

    private HistoryStore beginPast() {
        long every = Math.max(1, (log.ticks() + STATES - 1) / STATES);
        HistoryStore begun =
                new HistoryStore(run.simulation, log.rate(), Math.max(1, log.ticks()), (int) every, MAX_BYTES);
        begun.start(run.number());
        oldest = run.at();
        newest = oldest;
        behind = oldest - run.number();
        past = begun;
        return begun;
    }

    private void goToFromTheStart(long tick) throws Exception {
        if (captured || tick < run.at()) {
            startAnew();
        }
        while (run.at() < tick) {
            run.step();
        }
    }

    private LogRunner newRun() throws IOException {
        TickHook teller = new TickHook() {
            @Override
            public void stepped(SteppedTick tick) {
                if (past != null) {
                    past.stepped(tick);
                }
            }
        };
        return new LogRunner(log, simulations.get(), List.of(teller));
    }

    private void startAnew() throws IOException {
        LogRunner previous = run;
        run = newRun();
        past = null;
        captured = false;
        earlier = earlier.or(previous::divergence);
        previous.close();
    }

    /**
     * {@return the first of the simulated ticks after which the state differed from the recorded one; empty if none did} From there on the
     * poses are other ones than in the run.
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
