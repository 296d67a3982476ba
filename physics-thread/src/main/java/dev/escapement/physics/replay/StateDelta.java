package dev.escapement.physics.replay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Describes a state by what differs from another one, its base: a sequence of bytes that follow, and of bytes that are those of the base.
 * Where bytes were added or removed, as those of contacts, the places of all later bytes shift; they are found in the base by their content.
 *
 * <pre>
 *   delta    size of the state | each piece
 *   piece    literal bytes, a count | each of them | copied bytes, a count | by how much the shift of their place in the base has changed
 * </pre>
 *
 * <p>Numbers are those of {@link LogFormat}. One thread. Allocates only when a base or a delta is larger than any before.
 */
final class StateDelta {

    /** Fewer equal bytes are not worth a piece. */
    private static final int MIN_COPY = Long.BYTES;

    /** The base is searched for this many bytes. */
    private static final int BLOCK = 2 * Long.BYTES;

    /** How many bytes of the base lie between the starts of two blocks that can be found. */
    private static final int BLOCK_STEP = 4;

    /** After this many literal bytes, the places are taken to have shifted. */
    private static final int LOST = 24;

    private static final int MAX_NUMBERS = 3 * LogFormat.MAX_NUMBER_BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** By the hash of a block, one more than its place in the base; 0 if there is none. */
    private int[] places = {};

    private boolean indexed;
    private byte[] base = {};
    private int from;
    private int baseSize;
    private ByteBuffer delta = ByteBuffer.allocate(1 << 10);

    /** Takes another base for the next deltas, of this many bytes. */
    void newBase(int size) {
        baseSize = size;
        indexed = false;
    }

    /**
     * Encodes a state.
     *
     * @param holder an array that has the base, the same bytes as for the last delta
     * @param at     where they begin
     * @param state  an array that begins with the state
     * @param size   how many bytes the state has
     * @return the delta, valid until the next one
     */
    ByteBuffer encode(byte[] holder, int at, byte[] state, int size) {
        base = holder;
        from = at;
        delta.clear();
        LogFormat.putNumber(delta, size);
        int next = 0;
        int place = 0;
        int shift = 0;
        int written = 0;
        while (next < size) {
            int equal = equalBytes(state, next, size, place);
            if (equal == 0 && next - written >= LOST) {
                int found = find(state, next, size);
                place = found < 0 ? place : found;
                equal = equalBytes(state, next, size, place);
            }
            if (equal == 0) {
                next++;
                place++;
            } else {
                putLiteral(state, written, next);
                LogFormat.putNumber(delta, equal);
                LogFormat.putNumber(delta, place - next - shift);
                shift = place - next;
                next += equal;
                place += equal;
                written = next;
            }
        }
        if (written < size) {
            putLiteral(state, written, size);
        }
        return delta.flip();
    }

    private void putLiteral(byte[] state, int first, int end) {
        int needed = end - first + MAX_NUMBERS;
        if (delta.remaining() < needed) {
            delta = ByteBuffer.allocate(Math.max(2 * delta.capacity(), delta.position() + needed))
                    .put(delta.flip());
        }
        LogFormat.putNumber(delta, end - first);
        delta.put(state, first, end - first);
    }

    /** Decodes a state, with the base at a place of an array. */
    static byte[] decode(byte[] holder, int at, ByteBuffer delta) {
        byte[] state = new byte[(int) LogFormat.getNumber(delta)];
        int next = 0;
        int shift = 0;
        while (next < state.length) {
            int literal = (int) LogFormat.getNumber(delta);
            delta.get(state, next, literal);
            next += literal;
            if (next < state.length) {
                int copied = (int) LogFormat.getNumber(delta);
                shift += (int) LogFormat.getNumber(delta);
                System.arraycopy(holder, at + next + shift, state, next, copied);
                next += copied;
            }
        }
        return state;
    }

    /** How many bytes are equal from these places on; 0 if they are too few. */
    private int equalBytes(byte[] state, int next, int size, int place) {
        int most = Math.min(size - next, baseSize - place);
        if (most < MIN_COPY || word(state, next) != word(base, from + place)) {
            return 0;
        }
        int equal = Arrays.mismatch(state, next, next + most, base, from + place, from + place + most);
        return equal < 0 ? most : equal;
    }

    /** A place in the base with the next block of the state, -1 if none is known. */
    private int find(byte[] state, int next, int size) {
        if (size - next < BLOCK) {
            return -1;
        }
        if (!indexed) {
            index();
        }
        int place = places[hash(state, next)] - 1;
        return place >= 0
                        && word(state, next) == word(base, from + place)
                        && word(state, next + Long.BYTES) == word(base, from + place + Long.BYTES)
                ? place
                : -1;
    }

    private void index() {
        indexed = true;
        int needed = 4 * Integer.highestOneBit(Math.max(BLOCK, baseSize / BLOCK_STEP)); // a quarter to a half is used
        if (places.length < needed) {
            places = new int[needed];
        } else {
            Arrays.fill(places, 0);
        }
        for (int place = 0; place + BLOCK <= baseSize; place += BLOCK_STEP) {
            places[hash(base, from + place)] = place + 1;
        }
    }

    private int hash(byte[] of, int at) {
        long mixed = (word(of, at) * 0x9E3779B97F4A7C15L + word(of, at + Long.BYTES)) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> 32) & (places.length - 1);
    }

    private static long word(byte[] of, int at) {
        return (long) LONG.get(of, at);
    }
}
