package dev.escapement.physics.replay;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.SteppedTick;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickControl;
import dev.escapement.physics.TickHook;
import dev.escapement.physics.TickSource;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.Rewindable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
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
 * <p>A state is saved after every tick, or {@linkplain #every less often}: then ticks in between are simulated again, from their input. It
 * is also saved after each tick in which a body came or went, or a command ran that is no data, because these cannot be simulated again. What
 * has not changed since an earlier one is not stored again.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>All of the last ticks are there, as many as were asked for, unless {@link #maxBytes} has no room for them.</li>
 *   <li>What is stored takes at most {@link #maxBytes}; beside that, to work on it, at most eight times as much as a state.</li>
 *   <li>Ticks allocate nothing once the past is full, beside what {@link Restorable#save} allocates.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Set it up on one. Any thread may call {@link #rewind}, {@link #rerun}, {@link #fork} and {@link #canRewind}; the service
 * calls the rest, on the physics thread.
 */
public final class StateHistory implements TickHook, Rewindable {

    private static final long DEFAULT_BYTES = 256L << 20;
    private static final long MIN_BYTES = 1 << 16;

    /** A part is forgotten as a whole: so much more than was asked for is kept, at most. */
    private static final int PARTS = 8;

    private static final StateBuffer NO_STATE = new StateBuffer(new byte[0]);

    private long ticks;
    private final @Nullable Duration length;
    private int every = 1;
    private int rollBackTicks;
    private long maxBytes = DEFAULT_BYTES;

    /** The oldest first. Each begins with the last tick of the one before it. */
    private final List<PastPart> parts = new ArrayList<>();

    /** The last part that was forgotten, to be used again. */
    private @Nullable PastPart unused;

    /** The state that was saved last. */
    private StateBuffer state = new StateBuffer();

    /** The one before it. */
    private StateBuffer before = new StateBuffer();

    private final StateDelta delta = new StateDelta();
    private final LoggedTick logged = new LoggedTick(new BodyDigests(0, false));

    /** The ticks after the first kept one that had a command that is no data. */
    private final TreeSet<Long> localTicks = new TreeSet<>();

    /** Whether a body is held after a tick, at each tick in which that has changed. */
    private final TreeMap<Long, Boolean> holds = new TreeMap<>();

    /** Null until the run begins. Volatile: any thread may want the run to go back. */
    private volatile @Nullable TickControl run;

    /** Runs ticks again whose input came late; null if none do. */
    private @Nullable Rollback rollback;

    /** The past to which the run goes now; null if it does not. */
    private @Nullable PastTicks goingTo;

    /** The last tick that an authority has decided; -1 if there is none. */
    private long decided = -1;

    /** Null until the run begins. */
    private @Nullable Restorable restorable;

    /** Null until the run begins. */
    private @Nullable TickEncoder encoder;

    /** Null until the run begins. */
    private @Nullable LogHeader header;

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
     * Sets how often the state is saved, every tick by default. Less often takes less time in ticks and less room, and more time to go back.
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
     * Lets input that comes late change the tick that it belongs to: it and the ticks after it run again. Without this call late input is for
     * the next tick. What comes too late even for that, or for a state that the simulation {@linkplain
     * dev.escapement.physics.restore.RestoreRefusedException refuses}, is {@linkplain
     * dev.escapement.physics.PhysicsStats#droppedLateInputs() dropped}. Logs and replays have these ticks twice. If one throws, the run ends.
     *
     * @param newTicks how many of the last ticks may run again, 1 or more; as many are kept
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public StateHistory rollBack(int newTicks) {
        if (newTicks < 1) {
            throw new IllegalArgumentException("to roll back, 1 tick or more must be able to run again, but not "
                    + newTicks + "; leave it out to run none");
        }
        rollBackTicks = newTicks;
        return this;
    }

    @Override
    public void begin(TickControl control) {
        begin(control.simulation(), control.rate());
        if (rollBackTicks > 0) {
            if (control.follows()) {
                throw new IllegalArgumentException(
                        "a run cannot roll back while it follows another, because no tick takes"
                                + " what is offered here; leave out rollBack");
            }
            if (ticks < rollBackTicks) {
                throw new IllegalArgumentException("to roll back " + rollBackTicks
                        + " ticks, a run needs the states before them, but the history keeps " + ticks
                        + " ticks; let it keep as many");
            }
            if (control.hooks().stream().anyMatch(this::isAnotherThatRollsBack)) {
                throw new IllegalArgumentException(
                        "two histories cannot roll back, because both would take the same late"
                                + " input; let one of them rollBack");
            }
            control.prepareToRunAgain(rollBackTicks, true);
            rollback = new Rollback(this, control, rollBackTicks);
        }
        run = control;
    }

    private boolean isAnotherThatRollsBack(TickHook hook) {
        return hook != this && hook instanceof StateHistory other && other.rollBackTicks > 0;
    }

    /** Begins without a service. */
    void begin(Simulation simulation, TickRate rate) {
        if (header != null) {
            throw new IllegalStateException("a history is of one run, but this one has begun; create another");
        }
        restorable = simulation
                .capability(Restorable.class)
                .orElseThrow(
                        () -> new IllegalArgumentException(simulation.getClass().getName()
                                + " is not Restorable, so it cannot go back; implement dev.escapement.physics.restore.Restorable,"
                                + " or leave out the history"));
        if (length != null) {
            ticks = Math.max(1, rate.tickAt(length.toNanos()));
        }
        header = new LogHeader(
                new RunDescription("", "", "", 0, rate),
                List.of(),
                simulation.commands().types(),
                false);
        encoder = new TickEncoder(header.newDigests(), header.commandTypes(), 1 << 10);
    }

    /** How many of the last ticks are kept, where there is room for them. */
    long ticks() {
        return ticks;
    }

    @Override
    public void start() {
        TickControl control = running();
        Fork.pastOf(control).ifPresent(past -> {
            if (past.isDragging()) {
                mayDrag(control.lastTick());
            }
            encoder().holds(past.input());
        });
        start(control.lastTick());
    }

    /** Begins anew after a tick. */
    void start(long tick) {
        save();
        if (state.size() > maxBytes) {
            parts.clear();
        } else {
            beginPart(tick);
        }
        forgetOld(tick);
    }

    @Override
    public void between() throws Exception {
        if (rollback != null) {
            rollback.takeLateInput();
        }
    }

    @Override
    public void stepped(SteppedTick stepped) {
        Tick tick = stepped.tick();
        List<CommandData> commands = stepped.commands();
        logged.number = tick.number();
        logged.budgetUsed = tick.budgetUsed();
        logged.eventsWanted = tick.eventsWanted();
        logged.input.copyFrom(tick.input());
        logged.commands.clear();
        for (int i = 0; i < commands.size(); i++) { // addAll allocates
            logged.commands.add(commands.get(i));
        }
        logged.commandsRan = stepped.localRan();
        noteDrag(tick);
    }

    private void noteDrag(Tick tick) {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            boolean isHold = event.code() == DragInput.HOLD;
            boolean isDrag = event.kind() == InputKind.APPLICATION && (isHold || event.code() == DragInput.END);
            if (isDrag && isHold != isDragging(tick.number())) {
                holds.put(tick.number(), isHold);
            }
        }
    }

    @Override
    public void atRest(long tick, boolean bodiesChanged) {
        if (logged.commandsRan) {
            localTicks.add(tick);
        }
        PastPart part = parts.isEmpty() ? null : parts.get(parts.size() - 1);
        if (part == null || part.last != tick - 1) { // no room for it, or a listener threw in the tick before
            if (part != null) {
                parts.clear();
                forgetNotesAfter(tick);
            }
            encoder().holds(logged.input.frame());
            start(tick);
            return;
        }
        boolean saves = bodiesChanged || logged.commandsRan || tick % every == 0;
        if (saves) {
            save();
        }
        put(part, saves);
        if (saves && (tick - part.first >= Math.max(1, ticks / PARTS) || part.size() >= fullAt(maxBytes))) {
            beginPart(tick);
        }
        forgetOld(tick);
    }

    /** How large a part becomes. An array has at most 2 GiB, of which it may use half. */
    static long fullAt(long maxBytes) {
        return Math.min(maxBytes / PARTS, 1 << 28);
    }

    private void put(PastPart part, boolean saves) {
        try {
            encoder().buffer().clear();
            encoder().put(logged);
        } catch (IOException tooLarge) {
            throw new UncheckedIOException(tooLarge);
        }
        part.put(logged.number, encoder().buffer().flip(), saves ? state : null, before, delta);
    }

    private void save() {
        StateBuffer older = before;
        before = state;
        state = older;
        state.clear();
        Objects.requireNonNull(restorable).save(state);
    }

    /** Begins a part with the state that was saved last, and with the levels now. */
    private void beginPart(long tick) {
        PastPart part = unused == null ? oldestOrNew() : unused;
        unused = null;
        try {
            encoder().buffer().clear();
            encoder().put(new SavedState(tick, 0, SavedState.Kind.SAVED), NO_STATE);
        } catch (IOException tooLarge) {
            throw new UncheckedIOException(tooLarge);
        }
        part.begin(tick, encoder().buffer().flip(), state);
        parts.add(part);
    }

    /** Forgets the oldest part to use it again, if there is no room for one more like the last one. */
    private PastPart oldestOrNew() {
        return parts.size() > 1 && partBytes() + parts.get(parts.size() - 1).capacity() > maxBytes
                ? parts.remove(0)
                : new PastPart();
    }

    /** Forgets what is too old, or has no room. */
    private void forgetOld(long tick) {
        long bytes = partBytes();
        while (!parts.isEmpty() && (bytes > maxBytes || (parts.size() > 1 && parts.get(1).first <= tick - ticks))) {
            unused = parts.remove(0);
            bytes -= unused.capacity();
        }
        if (unused != null && bytes + unused.capacity() > maxBytes) {
            unused = null;
        }
        long firstKept = parts.isEmpty() ? tick : parts.get(0).first;
        while (!localTicks.isEmpty() && localTicks.first() <= firstKept) {
            localTicks.pollFirst();
        }
        while (holds.size() > 1 && holds.higherKey(holds.firstKey()) <= firstKept) {
            holds.pollFirstEntry();
        }
    }

    /** {@return how many bytes the kept ticks and states have; their room, which {@link #maxBytes} bounds, may be twice as much} */
    public long storedBytes() {
        long bytes = 0;
        for (int i = 0; i < parts.size(); i++) {
            bytes += parts.get(i).size();
        }
        return bytes;
    }

    /** How much room all takes. */
    long bytes() {
        return partBytes() + (unused == null ? 0 : unused.capacity());
    }

    private long partBytes() {
        long bytes = 0;
        for (int i = 0; i < parts.size(); i++) { // an iterator would be an allocation
            bytes += parts.get(i).capacity();
        }
        return bytes;
    }

    /**
     * Copies the past.
     *
     * @param tick the tick to which it leads
     * @return how to get there
     * @throws IllegalArgumentException if the tick is not kept; says which are
     */
    PastTicks past(long tick) {
        long firstKept = parts.isEmpty() ? 0 : parts.get(0).first;
        long lastKept = parts.isEmpty() ? -1 : parts.get(parts.size() - 1).last;
        if (tick < firstKept || tick > lastKept) {
            throw new IllegalArgumentException("the run cannot go back to tick " + tick + ": "
                    + (parts.isEmpty()
                            ? "no tick is kept, because a state of " + state.size() + " bytes has no room in "
                                    + maxBytes + "; give the history more with maxBytes"
                            : "ticks " + firstKept + " to " + lastKept + " are kept"));
        }
        int at = indexOf(tick);
        long saved = parts.get(at).lastSaved(tick);
        boolean isWhole = saved == parts.get(at).first && !parts.get(at).isCorrected;
        int from = isWhole ? at - 1 : at; // from which one comes to the saved state
        long savedBefore = from < 0 ? saved : parts.get(from).lastSaved(saved - 1);
        int start = Math.max(0, from);
        byte[] stateBefore = parts.get(start).state(savedBefore, null);
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int i = start; i < parts.size(); i++) {
            parts.get(i).copyRecords(i == start, records);
        }
        return new PastTicks(
                Objects.requireNonNull(header),
                ByteBuffer.wrap(records.toByteArray()),
                new PastTicks.Saved(savedBefore, new StateBuffer(stateBefore)),
                new PastTicks.Saved(saved, new StateBuffer(parts.get(at).state(saved, stateBefore))),
                tick,
                lastKept,
                localTicks.isEmpty() ? 0 : localTicks.last(),
                isDragging(tick));
    }

    boolean isDragging(long tick) {
        Map.Entry<Long, Boolean> change = holds.floorEntry(tick);
        return change != null && change.getValue();
    }

    /** The last part that begins with a tick or before it. */
    private int indexOf(long tick) {
        int at = parts.size() - 1;
        while (parts.get(at).first > tick) {
            at--;
        }
        return at;
    }

    /** Whether the run can go back to a tick. */
    boolean has(long tick) {
        return !parts.isEmpty() && tick >= parts.get(0).first && tick <= parts.get(parts.size() - 1).last;
    }

    /** Whether a command that is no data ran after a tick. */
    boolean localRanAfter(long tick) {
        return !localTicks.isEmpty() && localTicks.last() > tick;
    }

    /** Forgets all, because the simulation has got a state after a tick that was not its own. */
    void startAnew(long tick, boolean mayDrag) {
        forgetAll();
        if (mayDrag) {
            mayDrag(tick);
        }
        start(tick);
    }

    private void forgetAll() {
        parts.clear();
        localTicks.clear();
        holds.clear();
    }

    /** Notes that a body may be held after a tick. */
    private void mayDrag(long tick) {
        holds.put(tick, true);
    }

    /** Announces the past to which the run goes next, or null: then it is not copied again. */
    void goingTo(@Nullable PastTicks past) {
        goingTo = past;
    }

    @Override
    public void wentBack(long tick, boolean runAgain) {
        if (!has(tick)) { // of a run that is followed, or by another history: it begins anew with the next tick
            Map.Entry<Long, Boolean> known = holds.floorEntry(tick);
            boolean mayHold = !holds.isEmpty() && (known == null || known.getValue()); // what is too old is not known
            forgetAll();
            if (mayHold) {
                mayDrag(tick);
            }
            return;
        }
        PastTicks past = goingTo == null ? past(tick) : goingTo;
        cutAfter(tick);
        encoder().holds(past.input()); // later ticks are encoded against these levels, not against those of now
    }

    /** Notes the last tick that an authority has decided: late input may not change it any more. */
    void decided(long tick) {
        decided = tick;
    }

    long decided() {
        return decided;
    }

    private TickControl running() {
        TickControl known = run;
        if (known == null) {
            throw new IllegalStateException(
                    "this history has no run yet; give it to a builder by with(...), and build");
        }
        return known;
    }

    /** {@return whether the run may go back: it has begun, and follows no other} Any thread. */
    @Override
    public boolean canRewind() {
        TickControl known = run;
        return known != null && !known.follows();
    }

    /**
     * Goes back to a tick that is kept, and goes on from there. Input and commands that came after it are dropped; contacts that subscribers
     * were told of are not withdrawn. Any thread; runs as a command does, in the order of the commands of the same thread.
     *
     * <p>{@link Tick#number()} and the numbers that commands and queries get go back. What readers see goes on: the next snapshot is that of
     * the next tick, with another {@link dev.escapement.state.snapshot.Snapshot#simulationTick()}; it breaks the motion of what has jumped.
     * While time stands still, readers see it with the next tick. Levels of input stay as they are: what is held is held; but a drag ends.
     * A {@linkplain Recording recording} has both, what was dropped and that the run went back, and repeats it.
     *
     * <p>If the simulation throws while it is restored, the run ends with that. A
     * {@link dev.escapement.physics.restore.RestoreRefusedException} fails the future alone, and the run goes on as if it had not been asked.
     *
     * @param tick the number of a tick by the simulation's count; one less than the first for the start
     * @return completed when the run went back; exceptionally with an {@link IllegalArgumentException} that says which ticks are kept if this
     *     is none of them, with an {@link IllegalStateException} while {@linkplain dev.escapement.physics.TickingWorld#spawn reserved ids} of
     *     bodies that are yet to come have the slots of bodies that are gone, and as that of a command
     * @throws IllegalStateException if the run has not begun, or follows another
     */
    @Override
    public CompletableFuture<Rewound> rewind(long tick) {
        return goBack(tick, false, "rewind(" + tick + ")");
    }

    /**
     * Goes back, as {@link #rewind} does, and lets the ticks that came after that run again, with the input and the commands that they had.
     * No tick gets the input that is offered meanwhile, as in a replay; commands do run.
     *
     * @param tick the number of a tick by the simulation's count
     * @return as that of {@link #rewind}; exceptionally with an {@link IllegalStateException}, too, if a command that is no data ran after
     *     that tick
     * @throws IllegalStateException as {@link #rewind} does
     */
    public CompletableFuture<Rewound> rerun(long tick) {
        return goBack(tick, true, "rerun(" + tick + ")");
    }

    private CompletableFuture<Rewound> goBack(long tick, boolean again, String name) {
        TickControl control = running();
        if (control.follows()) {
            throw new IllegalStateException(
                    "a run cannot go back while it follows another; fork(...) begins another run at that tick");
        }
        return control.between(name, next -> goBack(control, tick, again)).thenApply(Answer::value);
    }

    private Rewound goBack(TickControl control, long tick, boolean again) throws Exception {
        PastTicks past = past(tick);
        TickSource then = again ? past.after(control.source()) : null;
        Rewound rewound = new Rewound(control.lastTick(), tick, control.publishedTick());
        try {
            goingTo = past;
            control.jump(tick, atRest -> past.restore(control.simulation(), false, atRest), then);
        } finally {
            goingTo = null;
        }
        if (past.isDragging() && control.source() != then) {
            control.endDrag(); // its end may be in a tick that was dropped
        }
        return rewound;
    }

    /**
     * Begins another run after a tick of this one, for example to try what would happen. This one goes on. Any thread.
     *
     * <pre>{@code
     * InlineDriver future = history.fork(500, () -> simulationAround(makeWorld())).join().inline(clock);
     * }</pre>
     *
     * <p>The fork starts with the keys that were held in the tick, but lets go of a body that was dragged. It is restored on the thread that
     * ticks it, in its start or first tick, which throws if its world is another one: it repeats the ticks between two saved states, where
     * there are two, and names the first body that differs.
     *
     * @param tick    the number of a tick by the simulation's count, which is kept
     * @param factory makes a simulation that is built like this one was; called once, by the calling thread
     * @return completed as that of a command, with a builder that has the rate, the layout and the first tick; exceptionally with an
     *     {@link IllegalArgumentException} if the tick is not kept: then the new simulation is closed
     * @throws IllegalStateException if the run has not begun
     */
    public CompletableFuture<PhysicsServiceBuilder> fork(long tick, Supplier<? extends Simulation> factory) {
        Objects.requireNonNull(
                factory, "factory must not be null; pass what makes a simulation that is built like this one");
        TickControl control = running();
        Simulation simulation = Objects.requireNonNull(
                factory.get(), "the factory must not return null; it makes a simulation that is built like this one");
        return control.between("fork(" + tick + ")", next -> past(tick))
                .thenApply(answer -> PhysicsService.builder(simulation)
                        .rate(control.rate())
                        .layout(control.layout())
                        .firstTick(tick + 1)
                        .with(new Fork(answer.value())))
                .whenComplete((builder, refused) -> {
                    if (refused != null) {
                        simulation.close();
                    }
                });
    }

    /** As {@link #wentBack}, but the simulation has got a state to which the kept ticks do not lead. */
    void corrected(long tick, InputFrame levels) {
        PastPart cut = cutAfter(tick);
        if (cut.first == tick) { // nothing is left of it that the next one does not have
            unused = parts.remove(parts.size() - 1);
        }
        encoder().holds(levels);
        start(tick);
        if (!parts.isEmpty()) {
            parts.get(parts.size() - 1).isCorrected = true;
        }
    }

    private void forgetNotesAfter(long tick) {
        localTicks.tailSet(tick, false).clear();
        holds.tailMap(tick, false).clear();
    }

    /** Forgets the ticks after one that is kept, and returns the part that has it, which is then the last. */
    private PastPart cutAfter(long tick) {
        parts.subList(indexOf(tick) + 1, parts.size()).clear();
        forgetNotesAfter(tick);
        PastPart cut = parts.get(parts.size() - 1);
        cut.forgetAfter(tick);
        return cut;
    }

    private TickEncoder encoder() {
        return Objects.requireNonNull(encoder);
    }
}
