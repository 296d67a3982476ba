package dev.escapement.physics.replay;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickHistory;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.Reconciled.Outcome;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a run stay ahead of the same world elsewhere, the authority: here the run's own input acts at once. Where the authority's state
 * after an earlier tick turns out to be another one, it is the truth: the run goes back to that tick, takes that state, and runs its own
 * input and commands again up to now, before its next tick. What readers saw stays; the next snapshot is corrected, and pictures fade the
 * error, as after {@link dev.escapement.physics.PhysicsServiceBuilder#rollBack}.
 *
 * <pre>{@code
 * Reconciler reconciler = new Reconciler(StateHistory.of(Duration.ofSeconds(1)), 0, told -> {});
 * InlineDriver ahead = PhysicsService.builder(world).history(reconciler).firstTick(joined + 1).inline(clock);
 * reconciler.offer(joined, hash, state); // and then each tick of the authority that arrives, in any order
 * }</pre>
 *
 * <p>Both sides count ticks alike, are built alike, and have a {@link Simulation#hash()}. The authority sends its hash and what
 * {@link Restorable#save} saves, at any ticks, by any transport that drops damaged packets. The run is as far ahead as its clock: far
 * enough for its input to reach the authority before the tick that it is for. Input of others is not predicted.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Only the newest tick of the authority that has arrived counts, once. Lost, late and repeated ones do no harm.</li>
 *   <li>After a tick whose hash was equal, or that was corrected, the run is as the authority is if it gets the same input.</li>
 *   <li>No input and no command that is data is lost by a correction.</li>
 *   <li>Late input does not run a tick again that the authority has decided, and whose state has what became of that input.</li>
 *   <li>Ticks allocate nothing but what {@link StateHistory} does, until a hash differs.</li>
 * </ol>
 *
 * <p>A body that comes in a tick that runs again gets another id. A run fails if its world refuses the authority's state, or its own
 * earlier one: then it cannot become as the authority is.
 *
 * <p><b>Threads.</b> Any thread offers; the service calls the rest, on the physics thread.
 */
public final class Reconciler implements TickHistory {

    /** The authority's state after a tick. */
    private record Truth(long tick, long hash, StateBuffer state) {}

    private static final int HASHES = 1 << 12;
    private static final long[] NO_BODIES = {};

    private final StateHistory history;
    private final double tolerance;
    private final Consumer<? super Reconciled> listener;

    // Volatile accesses: the physics thread that gets it sees all of it.
    private final AtomicReference<@Nullable Truth> newest = new AtomicReference<>();

    /** The authority's tick that counted last. */
    private long decided = -1;

    /** The hashes after the last ticks, each at its number modulo the length. */
    private final long[] hashes = new long[HASHES];

    private @Nullable Simulation simulation;
    private @Nullable BodyStates bodies;
    private List<String> components = List.of();

    /**
     * Creates what reconciles one run.
     *
     * @param history   keeps the last ticks: at least as many as the run is ahead of what arrives
     * @param tolerance by how much components of bodies may differ, in their units, for example for an authority on another processor; 0 if
     *                  a run must be equal. What else is in the state is not compared then
     * @param listener  gets each difference, on the physics thread
     * @throws IllegalArgumentException if the tolerance is negative or NaN
     */
    public Reconciler(StateHistory history, double tolerance, Consumer<? super Reconciled> listener) {
        if (!(tolerance >= 0)) {
            throw new IllegalArgumentException("the tolerance must be 0 or more, but is " + tolerance);
        }
        this.history = Objects.requireNonNull(history, "history must not be null; pass StateHistory.of(...)");
        this.tolerance = tolerance;
        this.listener = Objects.requireNonNull(listener, "listener must not be null; pass told -> {} for none");
    }

    /**
     * Offers the authority's state after a tick. Any thread.
     *
     * @param tick  its number
     * @param hash  {@link Simulation#hash()} after it
     * @param state what {@link Restorable#save} saved after it; not copied
     * @throws IllegalArgumentException if the number is negative
     */
    public void offer(long tick, long hash, byte[] state) {
        if (tick < 0) {
            throw new IllegalArgumentException("a tick of the authority must be 0 or more, but is " + tick);
        }
        Objects.requireNonNull(state, "state must not be null; pass the bytes that the authority has saved");
        Truth offered = new Truth(tick, hash, new StateBuffer(state));
        newest.accumulateAndGet(offered, (now, next) -> now == null || now.tick < tick ? next : now);
    }

    @Override
    public boolean corrects() {
        return true;
    }

    @Override
    public void begin(Simulation newSimulation, TickRate rate) {
        history.begin(newSimulation, rate);
        simulation = newSimulation;
        bodies = newSimulation.capability(BodyStates.class).orElse(null);
        if (bodies != null) {
            components = bodies.stateComponents();
        } else if (tolerance > 0) {
            throw new IllegalArgumentException(newSimulation.getClass().getName()
                    + " has no BodyStates to compare within a tolerance; implement them, or let the tolerance be 0");
        }
    }

    @Override
    public long ticks() {
        return history.ticks();
    }

    @Override
    public void start(long tick, boolean isDragging) {
        history.start(tick, isDragging);
        noteHash(tick);
    }

    @Override
    public void stepped(Tick tick, List<CommandData> commands, boolean localRan) {
        history.stepped(tick, commands, localRan);
    }

    @Override
    public void published(long tick, boolean bodiesChanged) {
        history.published(tick, bodiesChanged);
        noteHash(tick);
    }

    private void noteHash(long tick) {
        hashes[(int) (tick % HASHES)] = simulation().hash();
    }

    @Override
    public Past past(long tick) {
        return history.past(tick);
    }

    @Override
    public void wentBack(long tick, InputFrame levels) {
        history.wentBack(tick, levels);
    }

    @Override
    public long decided() {
        return decided;
    }

    @Override
    public @Nullable Callable<Long> correction(long last) {
        Truth truth = newest.get();
        if (truth == null) {
            return null;
        }
        boolean kept = history.has(truth.tick);
        boolean equal = kept && last - truth.tick < HASHES && hashes[(int) (truth.tick % HASHES)] == truth.hash;
        if (truth.tick <= decided || equal) {
            decide(truth);
            return null;
        }
        if (kept && history.localRanAfter(truth.tick)) {
            decide(truth);
            listener.accept(describe(Outcome.SKIPPED, truth, last, NO_BODIES, NO_BODIES));
            return null;
        }
        return () -> {
            decide(truth);
            return kept ? reconcile(truth, last) : startAnew(truth, last);
        };
    }

    private void decide(Truth truth) {
        newest.compareAndSet(truth, null); // unless a newer one has come
        decided = Math.max(decided, truth.tick);
    }

    private long startAnew(Truth truth, long last) {
        restore(truth);
        history.startAnew(truth.tick, truth.tick < last); // the end of a drag may be in a tick that was dropped
        listener.accept(describe(Outcome.STARTED_ANEW, truth, last, NO_BODIES, NO_BODIES));
        return truth.tick;
    }

    private long reconcile(Truth truth, long last) throws Exception {
        PastTicks past = (PastTicks) history.past(truth.tick);
        past.restore(simulation(), false, null);
        long[] own = readBodies();
        restore(truth);
        Reconciled found = describe(Outcome.CORRECTED, truth, last, own, readBodies());
        boolean tolerated = found.outcome() == Outcome.TOLERATED;
        if (tolerated) {
            history.past(last).restore(simulation(), false, null);
        } else {
            history.corrected(truth.tick, past.input());
            while (past.isReady()) {
                Tick tick = past.step(simulation(), null);
                history.stepped(tick, past.commands(), false);
                published(tick.number(), false); // what came gets its id in the next snapshot
            }
        }
        listener.accept(found);
        return tolerated ? -1 : last;
    }

    private void restore(Truth truth) {
        String other = "the authority's world is another one: its state after tick " + truth.tick;
        truth.state.rewind();
        try {
            Restorable restorable = simulation().capability(Restorable.class).orElseThrow();
            PastTicks.restore(restorable, new PastTicks.Saved(truth.tick, truth.state));
        } catch (RuntimeException unfit) {
            throw new IllegalStateException(other + " does not fit this one: " + unfit.getMessage(), unfit);
        }
        long hash = simulation().hash();
        if (hash != truth.hash) {
            throw new IllegalStateException(other + " has the hash " + Long.toHexString(truth.hash) + " there, and "
                    + Long.toHexString(hash) + " here");
        }
    }

    private long[] readBodies() {
        if (bodies == null) {
            return NO_BODIES;
        }
        long[] bits = new long[bodies.bodyCount() * components.size()];
        bodies.readStates(0, bodies.bodyCount(), bits);
        return bits;
    }

    /** Describes the difference of two states of all bodies. One that is small enough is tolerated. */
    private Reconciled describe(Outcome outcome, Truth truth, long last, long[] own, long[] theirs) {
        int both = Math.min(own.length, theirs.length);
        int first = own.length == theirs.length ? -1 : both;
        double largest = first < 0 ? 0 : Double.POSITIVE_INFINITY;
        for (int i = both - 1; i >= 0; i--) {
            if (own[i] != theirs[i]) {
                first = i;
                largest = Math.max(largest, Math.abs(value(own[i]) - value(theirs[i])));
            }
        }
        if (first < 0) {
            return new Reconciled(outcome, truth.tick, last, -1, "", Double.NaN);
        }
        return new Reconciled(
                tolerance > 0 && largest <= tolerance ? Outcome.TOLERATED : outcome,
                truth.tick,
                last,
                first / components.size(),
                first < both ? components.get(first % components.size()) : "",
                largest);
    }

    /** The bits of a float, in the lower half, are those of no double but of NaNs and of numbers below 1e-313. */
    private static double value(long bits) {
        return bits == (int) bits ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    private Simulation simulation() {
        return Objects.requireNonNull(simulation);
    }
}
