package dev.escapement.physics.replay;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickHistory;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
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
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last ticks of a run in memory, with saved states, so that the run can go back to any of them, or another run can begin there.
 *
 * <pre>{@code
 * PhysicsService physics = PhysicsService.builder(simulation)
 *         .history(StateHistory.of(Duration.ofSeconds(10)))
 *         .start();
 * physics.rewind(500).thenAccept(System.out::println);
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
 * <p><b>Threads.</b> Set it up on one; the service calls the rest, on the physics thread.
 */
public final class StateHistory implements TickHistory {

    private static final long DEFAULT_BYTES = 256L << 20;
    private static final long MIN_BYTES = 1 << 16;

    /** A part is forgotten as a whole: so much more than was asked for is kept, at most. */
    private static final int PARTS = 8;

    private static final StateBuffer NO_STATE = new StateBuffer(new byte[0]);

    private long ticks;
    private final @Nullable Duration length;
    private int every = 1;
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

    @Override
    public void begin(Simulation simulation, TickRate rate) {
        if (header != null) {
            throw new IllegalStateException("a history is of one run, but this one has begun; create another");
        }
        restorable = simulation
                .capability(Restorable.class)
                .orElseThrow(
                        () -> new IllegalArgumentException(simulation.getClass().getName()
                                + " is not Restorable, so it cannot go back; implement dev.escapement.physics.restore.Restorable,"
                                + " or leave out history(...)"));
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

    @Override
    public long ticks() {
        return ticks;
    }

    @Override
    public void start(long tick, boolean isDragging) {
        if (isDragging) {
            holds.put(tick, true);
        }
        start(tick);
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
    public void stepped(Tick tick, List<CommandData> commands, boolean localRan) {
        logged.number = tick.number();
        logged.budgetUsed = tick.budgetUsed();
        logged.eventsWanted = tick.eventsWanted();
        logged.input.copyFrom(tick.input());
        logged.commands.clear();
        for (int i = 0; i < commands.size(); i++) { // addAll allocates
            logged.commands.add(commands.get(i));
        }
        logged.commandsRan = localRan;
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
    public void published(long tick, boolean bodiesChanged) {
        if (logged.commandsRan) {
            localTicks.add(tick);
        }
        PastPart part = parts.isEmpty() ? null : parts.get(parts.size() - 1);
        if (part == null || part.last != tick - 1) { // no room for it, or a listener threw in the tick before
            parts.clear();
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

    @Override
    public Past past(long tick) {
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

    private boolean isDragging(long tick) {
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

    /** Forgets all, because the simulation is after a tick now that was not its own. */
    void startAnew(long tick, boolean mayDrag) {
        parts.clear();
        localTicks.clear();
        holds.clear();
        start(tick, mayDrag);
    }

    @Override
    public void wentBack(long tick, InputFrame levels) {
        cutAfter(tick);
        encoder().holds(levels); // those after it are encoded against these, not against those of now
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

    /** Forgets the ticks after one that is kept, and returns the part that has it, which is then the last. */
    private PastPart cutAfter(long tick) {
        parts.subList(indexOf(tick) + 1, parts.size()).clear();
        localTicks.tailSet(tick, false).clear();
        holds.tailMap(tick, false).clear();
        PastPart cut = parts.get(parts.size() - 1);
        cut.forgetAfter(tick);
        return cut;
    }

    private TickEncoder encoder() {
        return Objects.requireNonNull(encoder);
    }
}
