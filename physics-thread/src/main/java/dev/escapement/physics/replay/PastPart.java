package dev.escapement.physics.replay;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * A part of a {@link StateHistory}: a whole state, and the ticks that came after it, with their states or without.
 *
 * <pre>
 *   part    {@link TickEncoder}'s record of a saved state, without the state | the state | each tick
 *   tick    {@link TickEncoder}'s records of its commands and of it | {@link StateDelta} of the state after it against that of the part; empty if not saved
 * </pre>
 *
 * <p>Each of these begins with its size, an int. One thread. Allocates only when a part is larger than any before in the same object.
 */
final class PastPart {

    private ByteBuffer bytes = ByteBuffer.allocate(1 << 12);
    private int stateAt;
    private int ticksAt;

    /** The tick after which the whole state was saved. */
    long first;

    /** The last tick that is here; {@link #first} if there is none. */
    long last;

    /** Whether the whole state is an authority's: the ticks before it do not lead to it. */
    boolean isCorrected;

    /** Begins anew with a whole state. */
    void begin(long tick, ByteBuffer levels, StateBuffer state) {
        first = tick;
        last = tick;
        isCorrected = false;
        bytes.clear();
        putRecords(levels);
        room(Integer.BYTES + state.size()).putInt(state.size());
        stateAt = bytes.position();
        state.copyTo(bytes);
        ticksAt = bytes.position();
    }

    /** Adds a tick, and the delta of the state after it. */
    void put(long tick, ByteBuffer records, ByteBuffer delta) {
        room(2 * Integer.BYTES + records.remaining() + delta.remaining()); // first: an error leaves no half of a tick
        putRecords(records);
        room(Integer.BYTES + delta.remaining()).putInt(delta.remaining()).put(delta);
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

    /** How many bytes it has. */
    int size() {
        return bytes.position();
    }

    /** How many bytes it takes. */
    int capacity() {
        return bytes.capacity();
    }

    /** What has the whole state, at {@link #stateAt}. Changes when something is added. */
    byte[] array() {
        return bytes.array();
    }

    int stateAt() {
        return stateAt;
    }

    int stateBytes() {
        return ticksAt - stateAt;
    }

    /** Forgets the ticks after one that is here. */
    void forgetAfter(long tick) {
        bytes.position(placeAfter(tick));
        last = tick;
    }

    /** The last tick up to one, which may be later than all here, whose state was saved. */
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

    /** The state after a tick whose state was saved. */
    StateBuffer state(long tick) {
        byte[] state = new byte[ticksAt - stateAt];
        if (tick == first) {
            bytes.get(stateAt, state);
        } else {
            int at = afterSized(placeAfter(tick - 1)) + Integer.BYTES;
            state = StateDelta.decode(bytes.array(), stateAt, bytes.duplicate().position(at));
        }
        return new StateBuffer(state);
    }

    /** The records of the levels at the start, and those of each tick, with their size. */
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
