package dev.escapement.physics.replay.store;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Stores the last ticks of a run, with saved states, in memory. All ticks are simulation ticks.
 *
 * <p>The thread that ticks makes all calls. Once full, it allocates only in {@link Restorable#save}, where a drag begins or ends, and where
 * a command without a {@code CommandType} ran.
 *
 * @see dev.escapement.physics.replay.history.StateHistory
 */
public final class HistoryStore {

    /** The number of parts. The store forgets a whole part at once, so it keeps up to one part more than requested. */
    private static final int PARTS = 8;

    private static final StateBuffer NO_STATE = new StateBuffer();

    /** The dragger where nobody knows whether a sender drags, and which one. */
    private static final int UNKNOWN = -2;

    private final Restorable restorable;
    private final long ticks;
    private final int every;
    private final long maxBytes;
    private final TickRate rate;
    private final List<CommandName> commandTypes;
    private final TickEncoder encoder;

    /** The parts, the oldest first. Each part begins with the state after the last tick of the part before it. */
    private final List<HistoryPart> parts = new ArrayList<>();

    private @Nullable HistoryPart unused;

    /** Whether ticks that were asked for had no room. */
    private boolean isShort;

    /** The state that was saved last. */
    private StateBuffer state = new StateBuffer();

    /** The state that was saved before {@link #state}. */
    private StateBuffer before = new StateBuffer();

    private final LoggedTick logged;

    /** Whether {@link #logged} is a stepped tick that is not added yet. */
    private boolean isStepped;

    /** The kept ticks before whose step a command without a {@code CommandType} ran, which a re-simulation cannot repeat. */
    private final TreeSet<Long> localTicks = new TreeSet<>();

    /** By tick, the sender that drags a body from then on; one entry for each change. */
    private final TreeMap<Long, Integer> draggers = new TreeMap<>();

    /** The sender that drags a body now, {@link DragInput#NOBODY}, or {@link #UNKNOWN}. */
    private int dragger = DragInput.NOBODY;

    /**
     * Creates an empty store.
     *
     * @param simulation a {@link Restorable} simulation; another one throws an {@link IllegalArgumentException}
     * @param rate       the rate of the ticks
     * @param ticks      the number of last ticks to keep, if there is room for them
     * @param every      the ticks from one saved state to the next
     * @param maxBytes   the maximum number of bytes of all parts
     */
    public HistoryStore(Simulation simulation, TickRate rate, long ticks, int every, long maxBytes) {
        restorable = simulation
                .capability(Restorable.class)
                .orElseThrow(
                        () -> new IllegalArgumentException(simulation.getClass().getName()
                                + " is not Restorable, so it cannot go back; implement dev.escapement.physics.restore.Restorable,"
                                + " or leave out the history"));
        this.ticks = ticks;
        this.every = every;
        this.maxBytes = maxBytes;
        this.rate = rate;
        commandTypes = simulation.commands().types();
        logged = new LoggedTick();
        encoder = new TickEncoder(commandTypes, 1 << 10);
    }

    public long ticks() {
        return ticks;
    }

    /** Begins the first part after a tick, with the current state. */
    public void start(long tick) {
        save();
        if (state.size() > maxBytes) {
            isShort = true;
            parts.clear();
        } else {
            beginPart(tick);
        }
        forgetOld(tick);
    }

    /** Sets the input levels before the next tick, whose records will have only the levels that its events do not explain. */
    public void setLevels(InputFrame levels) {
        encoder.setLevels(levels);
    }

    public void stepped(TickHook.Stepped stepped) {
        logged.set(stepped.tick(), stepped.commands(), stepped.local());
        followDrag(stepped.tick());
        isStepped = true;
    }

    /**
     * Adds the stepped tick if {@link #atRest} was not called for it. After an exception while its events are collected, a driver continues
     * without that call.
     */
    public void beforeCommands() {
        if (isStepped) {
            atRest(logged.number, true);
        }
    }

    private void followDrag(Tick tick) {
        InputFrame input = tick.input();
        int before = dragger; // not dragger(tick), which allocates
        for (int i = 0; i < input.size(); i++) {
            dragger = DragInput.dragger(dragger, input, i);
        }
        if (dragger != before) {
            draggers.put(tick.number(), dragger);
        }
    }

    /** Adds the stepped tick, and saves its state where that is due. */
    public void atRest(long tick, boolean bodiesChanged) {
        isStepped = false;
        if (!logged.local.isEmpty()) {
            localTicks.add(tick);
        }
        HistoryPart part = parts.isEmpty() ? null : last();
        if (part == null || part.last != tick - 1) { // the store had no room, or a replay starts in the middle of a run
            if (part != null) {
                parts.clear();
                forgetNotesAfter(tick);
            }
            setLevels(logged.input());
            start(tick);
            return;
        }
        boolean saves = bodiesChanged || !logged.local.isEmpty() || tick % every == 0;
        if (saves) {
            save();
        }
        part.put(tick, encode(tick, false), saves ? state : null, before);
        if (saves && (tick - part.first >= Math.max(1, ticks / PARTS) || part.size() >= fullAt(maxBytes))) {
            beginPart(tick);
        }
        forgetOld(tick);
    }

    /**
     * Returns the size at which a part is full. It is far below the 2 GiB of an array, because the last tick and state may exceed it, and
     * because the array grows by doubling.
     */
    static long fullAt(long maxBytes) {
        return Math.min(maxBytes / PARTS, 1 << 28);
    }

    private void save() {
        StateBuffer older = before;
        before = state;
        state = older;
        state.clear();
        restorable.save(state);
    }

    /** Begins a part with the state that was saved last, and with the current input levels. */
    private void beginPart(long tick) {
        HistoryPart part = unused == null ? oldestOrNew(tick) : unused;
        unused = null;
        part.begin(tick, encode(tick, true), state);
        parts.add(part);
    }

    /** Encodes the input levels with which a part begins after {@code tick}, or else the records of this tick. */
    private ByteBuffer encode(long tick, boolean beginsPart) {
        try {
            encoder.buffer().clear();
            if (beginsPart) {
                encoder.putState(tick, 0, true, NO_STATE);
            } else {
                encoder.put(logged);
            }
            return encoder.buffer().flip();
        } catch (IOException tooLarge) {
            throw new UncheckedIOException(tooLarge);
        }
    }

    /** Returns the oldest part for reuse if there is no room for another one, else a new part. */
    private HistoryPart oldestOrNew(long tick) {
        if (parts.size() < 2 || partBytes() + last().capacity() <= maxBytes) {
            return new HistoryPart();
        }
        isShort |= isOldestWanted(tick);
        return parts.remove(0);
    }

    private boolean isOldestWanted(long tick) {
        return parts.size() < 2 || parts.get(1).first > tick - ticks;
    }

    private void forgetOld(long tick) {
        long bytes = partBytes();
        while (!parts.isEmpty() && (bytes > maxBytes || !isOldestWanted(tick))) {
            isShort |= isOldestWanted(tick);
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
        while (draggers.size() > 1 && draggers.higherKey(draggers.firstKey()) <= firstKept) {
            draggers.pollFirstEntry();
        }
    }

    /** Returns the bytes of the kept ticks and states; their arrays may be twice as large. */
    public long storedBytes() {
        long bytes = 0;
        for (int i = 0; i < parts.size(); i++) {
            bytes += parts.get(i).size();
        }
        return bytes;
    }

    /** Returns the allocated bytes of all parts. */
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

    private HistoryPart last() {
        return parts.get(parts.size() - 1);
    }

    /**
     * Copies the past that leads to a tick.
     *
     * @param tick the tick to which the past leads
     * @return a copy, from the last saved state up to the tick on
     * @throws IllegalArgumentException if the tick is not kept; the message says which ticks are
     */
    public Past past(long tick) {
        if (!has(tick)) {
            throw new IllegalArgumentException("the run cannot go back to tick " + tick + ": " + keptTicks());
        }
        int at = indexOf(tick);
        long saved = parts.get(at).lastSaved(tick);
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int i = at; i < parts.size(); i++) {
            parts.get(i).copyRecords(i == at, records);
        }
        return new Past(
                rate,
                commandTypes,
                ByteBuffer.wrap(records.toByteArray()),
                new Past.Saved(saved, StateBuffer.unsealed(parts.get(at).state(saved))),
                tick,
                dragger(tick));
    }

    /** Returns the number of kept ticks. */
    public long size() {
        return parts.isEmpty() ? 0 : last().last - parts.get(0).first;
    }

    /** Whether ticks that were asked for have had no room, at least once. */
    public boolean isShort() {
        return isShort;
    }

    /** Describes the kept ticks, as part of a sentence. */
    public String keptTicks() {
        return parts.isEmpty()
                ? "no tick is kept, because a state of " + state.size() + " bytes has no room in " + maxBytes
                        + "; give the history more with maxBytes"
                : "ticks " + parts.get(0).first + " to " + last().last + " are kept";
    }

    /** Returns the sender that drags a body after a tick; {@link DragInput#NOBODY} if none does, less if that is not known. */
    public int dragger(long tick) {
        Map.Entry<Long, Integer> change = draggers.floorEntry(tick);
        return change == null ? DragInput.NOBODY : change.getValue();
    }

    private int indexOf(long tick) {
        int at = parts.size() - 1;
        while (parts.get(at).first > tick) {
            at--;
        }
        return at;
    }

    public boolean has(long tick) {
        return !parts.isEmpty() && tick >= parts.get(0).first && tick <= last().last;
    }

    /** Whether the run used what no log can repeat after a tick, such as a command without a {@code CommandType}. */
    public boolean localRanAfter(long tick) {
        return !localTicks.isEmpty() && localTicks.last() > tick;
    }

    public void setDragger(long tick, int newDragger) {
        draggers.put(tick, newDragger);
        dragger = newDragger;
    }

    /**
     * Forgets all ticks, because the run continues after {@code tick} from a state to which no kept tick leads. {@code mayDrag} says
     * whether a sender may drag a body in that state.
     */
    public void forget(long tick, boolean mayDrag) {
        parts.clear();
        localTicks.clear();
        draggers.clear();
        setDragger(tick, mayDrag ? UNKNOWN : DragInput.NOBODY);
    }

    /** Forgets the ticks after a seek's target. If the target is not kept, forgets all ticks, and begins anew with the next one. */
    public void sought(long tick) {
        isStepped = false;
        if (has(tick)) {
            if (tick < last().last) {
                cutAfter(past(tick));
            }
        } else { // a seek of the source log, or of another history
            // Nobody knows which sender dragged before the first kept change.
            boolean isKnown = draggers.isEmpty() || draggers.firstKey() <= tick;
            forget(tick, !isKnown || dragger(tick) != DragInput.NOBODY);
        }
    }

    /** Forgets the ticks after the one to which a past leads. */
    public void cutAfter(Past past) {
        cutAfter(past.to());
        setLevels(past.input());
    }

    /**
     * Forgets the ticks after {@code tick}, and begins a part there, because the kept ticks do not lead to the simulation's corrected
     * state.
     */
    public void beginCorrected(long tick, InputFrame levels) {
        HistoryPart cut = cutAfter(tick);
        if (cut.first == tick) { // this part is empty, and start() begins one with the same tick
            unused = parts.remove(parts.size() - 1);
        }
        setLevels(levels);
        start(tick);
    }

    private void forgetNotesAfter(long tick) {
        localTicks.tailSet(tick, false).clear();
        draggers.tailMap(tick, false).clear();
        dragger = dragger(tick);
    }

    /** Forgets the ticks after a kept one, and returns the part of that tick, which is then the last. */
    private HistoryPart cutAfter(long tick) {
        parts.subList(indexOf(tick) + 1, parts.size()).clear();
        forgetNotesAfter(tick);
        last().forgetAfter(tick);
        return last();
    }
}
