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
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.Rewindable;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last ticks of a run in memory, with saved states. The run can go back to any kept tick, and another run can begin there.
 *
 * <pre>{@code
 * StateHistory history = StateHistory.of(Duration.ofSeconds(10));
 * PhysicsService physics = PhysicsService.builder(simulation).with(history).start();
 * history.rewind(500).thenAccept(System.out::println);
 * }</pre>
 *
 * <p>The history saves the state after every tick, or {@linkplain #every less often}; then it re-simulates ticks in between from their
 * input. It also saves the state after each tick in which a body spawned or despawned, or a command without a {@code CommandType} ran,
 * because these cannot be re-simulated. Values that have not changed since an earlier state are not stored again.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The requested number of last ticks is kept, unless {@link #maxBytes} has no room for them. Then a log line says, once, how many
 *       seconds fit. {@code history-ticks} of {@link dev.escapement.physics.simulation.PhysicsStats#counts()} is their number.</li>
 *   <li>The stored ticks take at most {@link #maxBytes}; work buffers take at most eight times the size of a state.</li>
 *   <li>Once the history is full, a tick allocates only in {@link Restorable#save}, where a drag begins or ends, and where a command
 *       without a {@code CommandType} ran.</li>
 * </ol>
 *
 * <p><b>Threads.</b> One thread sets the history up. Any thread may call {@link #rewind}, {@link #fork} and {@link #canRewind}; the service
 * calls the rest, on the physics thread.
 */
public final class StateHistory implements TickHook, Rewindable {

    private static final long DEFAULT_BYTES = 256L << 20;
    private static final long MIN_BYTES = 1 << 16;

    private final long ticks;
    private final @Nullable Duration length;
    private int every = 1;
    private int rollBackTicks;
    private long maxBytes = DEFAULT_BYTES;

    /** The number of kept ticks. Opaque: the physics thread writes it, any thread reads it, and it orders nothing else. */
    private final AtomicLong keptTicks = new AtomicLong();

    private boolean isShort;

    /** Null until the run begins. Volatile: any thread may call {@link #rewind} and {@link #fork}. */
    private volatile @Nullable TickAccess run;

    /** Re-simulates ticks whose input came late; null without {@link #rollBack}. */
    private @Nullable Rollback rollback;

    /** Null if no tick may be re-simulated. */
    private @Nullable RerunHistory rerunHistory;

    /**
     * The last tick that a {@link Reconciler} has decided: the run had the authority's state there, or took it. Late input must not change
     * it or an earlier tick; -1 if there is none.
     */
    private long decided = -1;

    /** Null until the run begins. Physics thread, after {@link #attach}. */
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
     * Sets how often the state is saved, every tick by default. Rarer saves take less time in ticks and less memory, but a rewind takes
     * longer.
     *
     * @param newEvery the ticks from one save to the next, at least 1
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
     * Sets the memory of the kept ticks, 256 MiB by default. If it is too small, fewer ticks are kept, and a log line says how many.
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
     * Lets late input change its own tick: the run re-simulates that tick and the ticks after it. Without this call late input goes to the
     * next tick. Input that is too late for a re-simulation, or that needs a state that the simulation
     * {@linkplain dev.escapement.physics.restore.RestoreRefusedException refuses}, is
     * {@linkplain dev.escapement.physics.simulation.PhysicsStats#droppedLateInputs() dropped}. Logs and replays have re-simulated ticks
     * twice. If a re-simulated tick throws, the run ends.
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
    public void attach(TickAccess run) {
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
            keepToResimulate(run, rollBackTicks);
            rollback = new Rollback(this, run, rollBackTicks);
        }
        run.stats().addCounts(() -> Map.of("history-ticks", keptTicks.getOpaque()));
        store = empty; // last, so that a history whose attach() threw may be attached again
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

    /**
     * Whether the ticks from {@code from} on can be re-simulated: times and contacts of all are kept. True for the tick after the last.
     */
    boolean canResimulate(long from) {
        TickAccess run = running();
        return rerunHistory().canResimulate(from, run.lastSimulationTick(), run.publishedTick());
    }

    /** Returns the kept ticks. Physics thread, once the run has begun. */
    HistoryStore store() {
        return Objects.requireNonNull(store);
    }

    @Override
    public void begun() {
        TickAccess run = running();
        Fork.pastOf(run).ifPresent(past -> {
            store().setDragger(run.lastSimulationTick(), past.dragger());
            store().setLevels(past.input());
        });
        store().start(run.lastSimulationTick());
    }

    @Override
    public void beforeCommands() throws Exception {
        store().beforeCommands();
        if (rollback != null) {
            rollback.takeLateInput();
        }
    }

    @Override
    public void published(TickHook.Times times) {
        if (rerunHistory != null) {
            rerunHistory.add(times);
        }
    }

    @Override
    public void stepped(TickHook.Stepped stepped) {
        store().stepped(stepped);
    }

    @Override
    public void atRest(long tick, boolean bodiesChanged) {
        HistoryStore to = store();
        to.atRest(tick, bodiesChanged);
        keptTicks.setOpaque(to.size());
        if (to.isShort() && !isShort) {
            isShort = true;
            warnOfRoom(to.size(), to.ticks());
        }
    }

    private void warnOfRoom(long fits, long wanted) {
        double seconds = running().rate().nanosAt(fits) / 1e9;
        FailureReport.warn(
                () -> "A history keeps " + seconds + " s, which are " + fits + " of " + wanted + " ticks: its "
                        + maxBytes
                        + " bytes have room for no more. Give it more with maxBytes(...), or save less often with every(...).");
    }

    /** {@return the bytes of the kept ticks; their buffers, which {@link #maxBytes} bounds, may be twice as large} Physics thread. */
    public long storedBytes() {
        HistoryStore kept = store;
        return kept == null ? 0 : kept.storedBytes();
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        RerunHistory kept = rerunHistory;
        if (kept != null && !resimulates) { // no later tick delivers the contacts of the undone ticks again
            long after = kept.publishedOr(tick, 0);
            kept.contactHistory().undo(after, running().publishedTick() + 1);
        }
        if (!resimulates) {
            decided = Math.min(decided, tick); // an authority decided the undone ticks, not those to come
        }
        store().sought(tick);
    }

    /** Restores the state to which a past leads, and forgets the kept ticks after it. */
    void restore(Past past, @Nullable Callable<?> atRest) throws Exception {
        past.restore(running().simulation(), atRest);
        store().cutAfter(past); // before sought(tick), which would copy the same past again
    }

    /**
     * Notes the last tick that a {@link Reconciler} has decided. Late input may not change this tick, or any before it.
     */
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

    /** {@return whether the run may go back: it has begun, and is no replica} Any thread. */
    @Override
    public boolean canRewind() {
        TickAccess begun = run;
        return begun != null && !begun.follows();
    }

    /**
     * Goes back to a kept tick, and continues from there. Later input and commands are dropped; delivered contacts are not retracted. Any
     * thread; runs like a command, in the order of the commands of the same thread.
     *
     * <p>{@link Tick#number()} and the numbers that commands and queries receive go back. Published ticks continue: the next snapshot comes
     * with the next tick, and has another {@link dev.escapement.state.snapshot.Snapshot#simulationTick()}. In that snapshot each body that
     * the rewind moved counts as teleported. In a pause readers see it at once, without a step. Levels of input stay as they are: a held
     * key stays held. But a drag ends, and the next tick receives the joins and leaves of senders that the dropped ticks had. A
     * {@linkplain Recording recording} has the dropped ticks and the seek, and its replay repeats both.
     *
     * <p>If the simulation throws while it is restored, the run ends with that throwable. A {@link
     * dev.escapement.physics.restore.RestoreRefusedException} fails only the future; the run continues unchanged.
     *
     * @param tick a simulation tick; one less than the first for the start
     * @return completed when the run went back; exceptionally with an {@link IllegalArgumentException} that says which ticks are kept, if
     *     this one is not; with an {@link IllegalStateException} while {@linkplain dev.escapement.physics.TickingWorld#spawn reserved ids}
     *     of bodies that are yet to spawn occupy slots of despawned bodies; and like the future of a command
     * @throws IllegalStateException if the run has not begun, or follows another
     */
    @Override
    public CompletableFuture<Rewound> rewind(long tick) {
        TickAccess run = running();
        if (run.follows()) {
            throw new IllegalStateException(
                    "a run cannot go back while it follows another; fork(...) begins another run at that tick");
        }
        return run.submit("rewind(" + tick + ")", next -> goBack(run, tick)).thenApply(Answer::value);
    }

    private Rewound goBack(TickAccess run, long tick) throws Exception {
        Past past = store().past(tick);
        Rewound rewound = new Rewound(run.lastSimulationTick(), tick, run.publishedTick());
        run.seek(tick, atRest -> restore(past, atRest));
        run.input().reportSendersSince(past.input());
        if (past.dragger() != DragInput.NOBODY) {
            run.input().owedEvents().endAnyDrag(); // the drag's end may be in a dropped tick
        }
        return rewound;
    }

    /**
     * Begins another run after a tick of this one, for example to predict. This run continues. Any thread.
     *
     * <pre>{@code
     * InlineDriver future = history.fork(500, () -> simulationAround(makeWorld())).join().inline(clock);
     * }</pre>
     *
     * <p>The fork starts with the keys that were held in the tick, but ends a drag. The thread that ticks the fork restores it, in its
     * start or first tick, which throws if the fork's world has fewer bodies.
     *
     * @param tick    a simulation tick that is kept
     * @param factory creates a simulation that is built like this one; called once, by the calling thread
     * @return completed like the future of a command, with a builder that has the rate, the layout and the first tick; exceptionally with
     *     an {@link IllegalArgumentException} if the tick is not kept: then the new simulation is closed
     * @throws IllegalStateException if the run has not begun
     */
    public CompletableFuture<PhysicsServiceBuilder> fork(long tick, Supplier<? extends Simulation> factory) {
        Objects.requireNonNull(
                factory, "factory must not be null; pass what makes a simulation that is built like this one");
        TickAccess run = running();
        Simulation simulation = Objects.requireNonNull(
                factory.get(), "the factory must not return null; it makes a simulation that is built like this one");
        return run.submit("fork(" + tick + ")", next -> store().past(tick))
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
