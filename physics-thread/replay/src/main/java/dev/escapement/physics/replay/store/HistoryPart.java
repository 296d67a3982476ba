package dev.escapement.physics.replay.store;

import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.StateBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One part of a history: a whole state and the ticks after it, with or without their states.
 *
 * <pre>
 *   part    {@link TickEncoder}'s record of a saved state, without the state | the state | each tick
 *   tick    {@link TickEncoder}'s records of its commands and of itself | its saved state; empty if not saved
 *   saved   1 if the delta's base is the state saved before, 0 if it is the whole state | {@link StateDelta}
 * </pre>
 *
 * <p>Each state and each group of records begins with its size, an int. One thread. Allocates only when a part is larger than any before in
 * the same object.
 */
final class HistoryPart {

    /**
     * Saved states are deltas in series of this length. The base of the first delta in a series is the whole state; the base of each other
     * delta is the saved state before it. A base from shortly before makes a delta smaller, but a state can only be read by decoding all
     * deltas of its series up to its own.
     */
    private static final int CHAIN = 4;

    private ByteBuffer bytes = ByteBuffer.allocate(1 << 12);
    private int stateAt;
    private int ticksAt;

    /**
     * The number of states saved since the whole one, or since ticks were forgotten. At each multiple of {@link #CHAIN} the next state
     * begins a series.
     */
    private int chained;

    /** The tick after which the whole state was saved. */
    long first;

    /** The last tick of this part; {@link #first} if it has none. */
    long last;

    void begin(long tick, ByteBuffer levels, StateBuffer state) {
        first = tick;
        last = tick;
        chained = 0;
        bytes.clear();
        putRecords(levels);
        room(Integer.BYTES + state.size()).putInt(state.size());
        stateAt = bytes.position();
        bytes.put(state.array(), 0, state.size());
        ticksAt = bytes.position();
    }

    /**
     * Adds a tick. {@code state} is the state after the tick, or null if none was saved; {@code before} is the state that was saved before
     * it.
     */
    void put(long tick, ByteBuffer records, @Nullable StateBuffer state, StateBuffer before) {
        // Reserves all room first, so that an error leaves no half of a tick. Reserves 8 bytes more, because decoding
        // reads up to 8 bytes beyond the end.
        int most = state == null ? 0 : 1 + StateDelta.most(state);
        room(2 * Integer.BYTES + records.remaining() + most + Long.BYTES);
        putRecords(records);
        int sizeAt = bytes.position();
        bytes.putInt(0);
        if (state != null) {
            boolean isFirst = chained % CHAIN == 0;
            bytes.put((byte) (isFirst ? 0 : 1));
            byte[] to = bytes.array();
            int end = isFirst
                    ? StateDelta.encode(to, stateAt, ticksAt - stateAt, state, to, bytes.position())
                    : StateDelta.encode(before.array(), 0, before.size(), state, to, bytes.position());
            bytes.position(end).putInt(sizeAt, end - sizeAt - Integer.BYTES);
            chained++;
        }
        last = tick;
    }

    private void putRecords(ByteBuffer records) {
        room(Integer.BYTES + records.remaining()).putInt(records.remaining()).put(records);
    }

    private ByteBuffer room(int needed) {
        if (bytes.remaining() < needed) {
            bytes = ByteBuffer.allocate(Math.max(bytes.position() + needed, 2 * bytes.capacity()))
                    .put(bytes.flip());
        }
        return bytes;
    }

    int size() {
        return bytes.position();
    }

    int capacity() {
        return bytes.capacity();
    }

    void forgetAfter(long tick) {
        bytes.position(placeAfter(tick));
        last = tick;
        chained = 0;
    }

    /** Returns the last tick up to {@code tick} whose state was saved. {@code tick} may be later than the last one. */
    long lastSaved(long tick) {
        long saved = first;
        int at = ticksAt;
        for (long number = first + 1; number <= Math.min(tick, last); number++) {
            at = afterSized(at);
            saved = bytes.getInt(at) > 0 ? number : saved;
            at = afterSized(at);
        }
        return saved;
    }

    byte[] state(long tick) {
        if (tick == first) {
            return Arrays.copyOfRange(bytes.array(), stateAt, ticksAt);
        }
        int at = afterSized(placeAfter(tick - 1)) + Integer.BYTES;
        ByteBuffer delta = bytes.duplicate().position(at + 1);
        if (bytes.get(at) == 0) {
            return StateDelta.decode(bytes.array(), stateAt, delta);
        }
        return StateDelta.decode(state(lastSaved(tick - 1)), 0, delta);
    }

    /** Copies the records of each tick, with their sizes; before them, if {@code withLevels}, the input levels at the start of the part. */
    void copyRecords(boolean withLevels, ByteArrayOutputStream to) {
        if (withLevels) {
            to.write(bytes.array(), 0, afterSized(0));
        }
        int at = ticksAt;
        while (at < bytes.position()) {
            int end = afterSized(at);
            to.write(bytes.array(), at, end - at);
            at = afterSized(end);
        }
    }

    private int placeAfter(long tick) {
        int at = ticksAt;
        for (long number = first; number < tick; number++) {
            at = afterSized(afterSized(at));
        }
        return at;
    }

    private int afterSized(int at) {
        return at + Integer.BYTES + bytes.getInt(at);
    }
}
