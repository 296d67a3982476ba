package dev.escapement.physics.replay.history;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.store.HistoryStore;
import dev.escapement.physics.replay.store.Past;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.Rewindable;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last ticks of a run in memory, with saved states, so that the run can go back to any of them, or another run can begin there.
 *
 * <pre>{@code
 * StateHistory history = StateHistory.of(Duration.ofSeconds(10));
 * PhysicsService physics = PhysicsService.builder(simulation).with(history).start();
 * history.rewind(500).thenAccept(System.out::println);
 * }</pre>
 *
 * <p>A state is saved after every tick, or {@linkplain #every less often}: then ticks in between are re-simulated from their input. It is
 * also saved after each tick in which a body spawned or despawned, or a command ran that is no data, because these cannot be re-simulated.
 * Values that have not changed since an earlier state are not stored again.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>All of the last ticks are there, as many as were asked for, unless {@link #maxBytes} has no room for them.</li>
 *   <li>What is stored takes at most {@link #maxBytes}; beside that, to work on it, at most eight times as much as a state.</li>
 *   <li>Ticks allocate nothing once the past is full, beside what {@link Restorable#save} allocates, and where a drag
 *       begins or ends, or a command ran that is no data.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Set it up on one. Any thread may call {@link #rewind}, {@link #fork} and {@link #canRewind}; the service calls the
 * rest, on the physics thread.
 */
public final class StateHistory implements TickHook, Rewindable {

    private static final long DEFAULT_BYTES = 256L << 20;
    private static final long MIN_BYTES = 1 << 16;

    private final long ticks;
    private final @Nullable Duration length;
    private int every = 1;
    private int rollBackTicks;
    private long maxBytes = DEFAULT_BYTES;

    /** Null until the run begins. Volatile: any thread may want the run to go back. */
    private volatile @Nullable TickAccess run;

    /** Re-simulates ticks whose input came late; null without {@link #rollBack}. */
    private @Nullable Rollback rollback;

    /** Null if no tick may be re-simulated. */
    private @Nullable RerunHistory rerunHistory;

    /** The last tick that an authority has decided; -1 if there is none. */
    private long decided = -1;

    /** Null until the run begins. Physics thread, after {@link #begin}. */
    private @Nullable HistoryStore store;

    private StateHistory(long ticks, @Nullable Duration length) {
        this.ticks = ticks;
        this.length = length;
    }

    /**
     * Creates a history of one run.
     *
     * @param ticks how many of the last ticks are kept, at least 1
     * @return a history with a saved state after every tick
     * @throws IllegalArgumentException if it is less than 1
     */
    public static StateHistory ofTicks(long ticks) {
        if (ticks < 1) {
            throw new IllegalArgumentException("a history keeps 1 tick or more, but is to keep " + ticks);
        }
        return new StateHistory(ticks, null);
    }

    /**
     * Creates a history of one run.
     *
     * @param length how much of the last simulated time is kept
     * @return a history with a saved state after every tick
     * @throws IllegalArgumentException if it is not positive
     */
    public static StateHistory of(Duration length) {
        Objects.requireNonNull(length, "length must not be null; say how much to keep");
        if (length.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("a history keeps some time, but is to keep " + length);
        }
        return new StateHistory(1, length);
    }

    /**
     * Sets how often the state is saved, every tick by default. Rarer saves take less time in ticks and less room, but more time to go
     * back.
     *
     * @param newEvery every how many ticks, at least 1
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public StateHistory every(int newEvery) {
        if (newEvery < 1) {
            throw new IllegalArgumentException(
                    "a state is saved every tick or less often, but not every " + newEvery + " ticks");
        }
        every = newEvery;
        return this;
    }

    /**
     * Sets how many bytes the past may take, 256 MiB by default. If they are too few, fewer ticks are kept.
     *
     * @param bytes at least 64 KiB; some seconds of 1000 active bodies take 100 MB
     * @return this
     * @throws IllegalArgumentException if it is less
     */
    public StateHistory maxBytes(long bytes) {
        if (bytes < MIN_BYTES) {
            throw new IllegalArgumentException("a history needs " + MIN_BYTES + " bytes or more, but is to have "
                    + bytes + "; the default is " + DEFAULT_BYTES);
        }
        maxBytes = bytes;
        return this;
    }

    /**
     * Lets late input change the tick that it belongs to: the run re-simulates that tick and the ticks after it. Without this call late
     * input is for the next tick. Input that comes too late even for that, or for a state that the simulation {@linkplain
     * dev.escapement.physics.restore.RestoreRefusedException refuses}, is {@linkplain
     * dev.escapement.physics.simulation.PhysicsStats#droppedLateInputs() dropped}. Logs and replays have these ticks twice. If one throws,
     * the run ends.
     *
     * @param newTicks how many of the last ticks may be re-simulated, 1 or more; as many are kept
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public StateHistory rollBack(int newTicks) {
        if (newTicks < 1) {
            throw new IllegalArgumentException(
                    "a rollback re-simulates 1 tick or more, but not " + newTicks + "; leave it out to run none");
        }
        rollBackTicks = newTicks;
        return this;
    }

    @Override
    public void begin(TickAccess run) {
        if (store != null) {
            throw new IllegalStateException("a history is of one run, but this one has begun; create another");
        }
        TickRate rate = run.rate();
        long kept = length == null ? ticks : Math.max(1, rate.tickAt(length.toNanos()));
        HistoryStore empty = new HistoryStore(run.simulation(), rate, kept, every, maxBytes);
        if (rollBackTicks > 0) {
            if (run.follows()) {
                throw new IllegalArgumentException(
                        "a run cannot roll back while it follows another, because no tick takes"
                                + " what is offered here; leave out rollBack");
            }
            if (kept < rollBackTicks) {
                throw new IllegalArgumentException("to roll back " + rollBackTicks
                        + " ticks, a run needs the states before them, but the history keeps " + kept
                        + " ticks; let it keep as many");
            }
            if (run.hooks().stream().anyMatch(this::isAnotherThatRollsBack)) {
                throw new IllegalArgumentException(
                        "two histories cannot roll back, because both would take the same late"
                                + " input; let one of them rollBack");
            }
            run.keepLateInput();
            keepToResimulate(run, rollBackTicks);
            rollback = new Rollback(this, run, rollBackTicks);
        }
        store = empty; // last: a history that was refused may begin again
        this.run = run;
    }

    private boolean isAnotherThatRollsBack(TickHook hook) {
        return hook != this && hook instanceof StateHistory other && other.rollBackTicks > 0;
    }

    /** Keeps the times and contacts that a re-simulation of the last ticks needs. */
    void keepToResimulate(TickAccess run, int ticksToKeep) {
        RerunHistory before = rerunHistory;
        if (before == null || ticksToKeep > before.size()) {
            RerunHistory larger = new RerunHistory(ticksToKeep);
            rerunHistory = larger;
            run.correctContacts(larger.contactHistory());
        }
    }

    RerunHistory rerunHistory() {
        return Objects.requireNonNull(rerunHistory);
    }

    /** Whether the ticks from one on can be re-simulated: times and contacts of all are kept. True for one more than the last. */
    boolean canResimulate(long from) {
        TickAccess run = running();
        return rerunHistory().canResimulate(from, run.lastTick(), run.publishedTick());
    }

    /** The ticks that are kept. Physics thread, once the run has begun. */
    HistoryStore store() {
        return Objects.requireNonNull(store);
    }

    @Override
    public void start() {
        TickAccess run = running();
        Fork.pastOf(run).ifPresent(past -> {
            store().setDragger(run.lastTick(), past.dragger());
            store().setLevels(past.input());
        });
        store().start(run.lastTick());
    }

    @Override
    public void between() throws Exception {
        store().between();
        if (rollback != null) {
            rollback.takeLateInput();
        }
    }

    @Override
    public void published(TickTimes times) {
        if (rerunHistory != null) {
            rerunHistory.add(times);
        }
    }

    @Override
    public void stepped(SteppedTick stepped) {
        store().stepped(stepped);
    }

    @Override
    public void atRest(long tick, boolean bodiesChanged) {
        store().atRest(tick, bodiesChanged);
    }

    /** {@return how many bytes the kept ticks have; their room, which {@link #maxBytes} bounds, may be twice as much} Physics thread. */
    public long storedBytes() {
        HistoryStore kept = store;
        return kept == null ? 0 : kept.storedBytes();
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        RerunHistory kept = rerunHistory;
        if (kept != null && !resimulates) { // no later tick brings the contacts of the undone ones again
            long after = kept.publishedOr(tick, 0);
            kept.contactHistory().undo(after, running().publishedTick() + 1);
        }
        if (!resimulates) {
            decided = Math.min(decided, tick); // an authority has decided other ticks than those to come
        }
        store().sought(tick);
    }

    /** Restores a past, and forgets what came after it. */
    void restore(Past past, @Nullable Callable<?> atRest) throws Exception {
        past.restore(running().simulation(), atRest);
        store().cutAfter(past); // before sought(tick), which would copy the same past again
    }

    /** Notes the last tick that an authority has decided: late input may not change it any more. */
    void noteDecided(long tick) {
        decided = tick;
    }

    long decided() {
        return decided;
    }

    private TickAccess running() {
        TickAccess begun = run;
        if (begun == null) {
            throw new IllegalStateException(
                    "this history has no run yet; give it to a builder by with(...), and build");
        }
        return begun;
    }

    /** {@return whether the run may go back: it has begun, and follows no other} Any thread. */
    @Override
    public boolean canRewind() {
        TickAccess begun = run;
        return begun != null && !begun.follows();
    }

    /**
     * Goes back to a tick that is kept, and continues from there. Input and commands that came after it are dropped; contacts that
     * subscribers received are not retracted. Any thread; runs as a command does, in the order of the commands of the same thread.
     *
     * <p>{@link Tick#number()} and the numbers that commands and queries get go back. The readers' ticks continue: the next snapshot comes
     * with the next tick, and has another {@link dev.escapement.state.snapshot.Snapshot#simulationTick()}. It breaks the motion of bodies
     * that have jumped. While time stands still, readers see it at once, without a step. Levels of input stay as they are: a held key stays
     * held. But a drag ends, and the next tick receives the joins and leaves of senders that the dropped ticks had. A {@linkplain Recording
     * recording} has the dropped ticks and the seek, and repeats both.
     *
     * <p>If the simulation throws while it is restored, the run ends with that. A
     * {@link dev.escapement.physics.restore.RestoreRefusedException} fails the future alone, and the run continues as if nobody had asked.
     *
     * @param tick a simulation tick; one less than the first for the start
     * @return completed when the run went back; exceptionally with an {@link IllegalArgumentException} that says which ticks are kept if
     *     this is none of them, with an {@link IllegalStateException} while {@linkplain dev.escapement.physics.TickingWorld#spawn reserved
     *     ids} of bodies that are yet to come have the slots of bodies that are gone, and as the future of a command
     * @throws IllegalStateException if the run has not begun, or follows another
     */
    @Override
    public CompletableFuture<Rewound> rewind(long tick) {
        TickAccess run = running();
        if (run.follows()) {
            throw new IllegalStateException(
                    "a run cannot go back while it follows another; fork(...) begins another run at that tick");
        }
        return run.between("rewind(" + tick + ")", next -> goBack(run, tick)).thenApply(Answer::value);
    }

    private Rewound goBack(TickAccess run, long tick) throws Exception {
        Past past = store().past(tick);
        Rewound rewound = new Rewound(run.lastTick(), tick, run.publishedTick());
        run.seek(tick, atRest -> restore(past, atRest));
        run.continueInputFrom(past.input());
        if (past.dragger() != DragInput.NOBODY) {
            run.endDrag(); // its end may be in a tick that was dropped
        }
        return rewound;
    }

    /**
     * Begins another run after a tick of this one, for example to try what would happen. This one continues. Any thread.
     *
     * <pre>{@code
     * InlineDriver future = history.fork(500, () -> simulationAround(makeWorld())).join().inline(clock);
     * }</pre>
     *
     * <p>The fork starts with the keys that were held in the tick, but lets go of a body that was dragged. It is restored on the thread
     * that ticks it, in its start or first tick, which throws if its world has fewer bodies.
     *
     * @param tick    a simulation tick that is kept
     * @param factory makes a simulation that is built like this one was; called once, by the calling thread
     * @return completed as the future of a command, with a builder that has the rate, the layout and the first tick; exceptionally with an
     *     {@link IllegalArgumentException} if the tick is not kept: then the new simulation is closed
     * @throws IllegalStateException if the run has not begun
     */
    public CompletableFuture<PhysicsServiceBuilder> fork(long tick, Supplier<? extends Simulation> factory) {
        Objects.requireNonNull(
                factory, "factory must not be null; pass what makes a simulation that is built like this one");
        TickAccess run = running();
        Simulation simulation = Objects.requireNonNull(
                factory.get(), "the factory must not return null; it makes a simulation that is built like this one");
        return run.between("fork(" + tick + ")", next -> store().past(tick))
                .thenApply(answer -> PhysicsService.builder(simulation)
                        .rate(run.rate())
                        .layout(run.layout())
                        .firstTick(tick + 1)
                        .with(new Fork(answer.value())))
                .whenComplete((builder, refused) -> {
                    if (refused != null) {
                        simulation.close();
                    }
                });
    }
}
