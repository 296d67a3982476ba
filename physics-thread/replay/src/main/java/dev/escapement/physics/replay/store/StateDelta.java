package dev.escapement.physics.replay.store;

import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.restore.StateBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Encodes a state as its differences from another state, its base. Changed numbers mostly keep their upper bytes, in which floats have the
 * sign, the exponent and the first digits: a delta does not store these bytes. A contact that begins or ends shifts all later bytes: the
 * encoder then tries nearby places of the base.
 *
 * <pre>
 *   delta          size of the state | each piece
 *   0x01 to 0x44   a word of 8 bytes: how many lower bytes of its first and, times 16, of its second half differ | their xor
 *   RUN            a count | that many bytes are as in the base
 *   SHIFT          by how much the place in the base moves on
 *   REST           all further bytes of the state
 * </pre>
 *
 * <p>Each piece begins where the one before it has ended, in the state and in the base. Numbers are as in {@link LogFormat}. General
 * compressors find little in numbers that have all changed: {@code Deflater} takes 40 times as long for a pile of 1,000 boxes, and zstd
 * stores 1.4 times as much.
 *
 * <p>Encoding allocates nothing. Any thread.
 */
final class StateDelta {

    private static final int RUN = 0x80;
    private static final int SHIFT = 0xA0;
    private static final int REST = 0xC0;

    private static final int WORD = Long.BYTES;

    /** The number of changed words in a row after which the encoder checks whether the bytes have shifted. */
    private static final int BLOCK = 8;

    /** A place of the base is like a block of the state if at most this number of bytes per word differ, and one more in all. */
    private static final int LIKE = 6;

    /** How many bytes the encoder searches in both directions. This is enough, because most shifts come from one contact. */
    private static final int NEAR = 256;

    /** Most shifts are a multiple of this: in a contact of Jolt, a point takes 36 bytes, and the part before the points 30. */
    private static final int OFTEN = 6;

    /**
     * After this number of bytes the encoder stores the rest as it is, unless it has saved a sixteenth so far. Then all numbers have
     * changed, and encoding them is in vain.
     */
    private static final int PROBE = 1024;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private StateDelta() {}

    /**
     * Returns an upper bound on the size of a delta. A word of 8 bytes takes at most 9, so half the state's size more is ample. The 64
     * bytes are for what the last word writes beyond its end.
     */
    static int most(StateBuffer of) {
        return Math.addExact(8 * WORD, Math.addExact(of.size(), of.size() / 2));
    }

    /**
     * Encodes a state.
     *
     * @param base      an array that has the base
     * @param at        where it begins
     * @param baseBytes the size of the base in bytes
     * @param of        the state to encode
     * @param out       receives the delta
     * @param start     the offset of the delta in {@code out}, with room for {@link #most} after it
     * @return the end of the delta in {@code out}
     */
    static int encode(byte[] base, int at, int baseBytes, StateBuffer of, byte[] out, int start) {
        byte[] state = of.array();
        int end = LogFormat.putNumber(out, start, of.size());
        int next = 0;
        int place = at;
        int unlike = 0; // blocks in a row that are not like the base's
        while (next < of.size()) {
            int left = Math.min(of.size() - next, at + baseBytes - place);
            if (left < WORD || (next >= PROBE && end - start > next - next / 16)) {
                out[end++] = (byte) REST;
                System.arraycopy(state, next, out, end, of.size() - next);
                return end + of.size() - next;
            }
            int equal = equal(state, next, base, place, left);
            if (equal >= WORD) {
                out[end++] = (byte) RUN;
                end = LogFormat.putNumber(out, end, equal);
                next += equal;
                place += equal;
                unlike = 0;
                continue;
            }
            int begin = end;
            int words = 0;
            while (words < Math.min(BLOCK, left / WORD)) {
                long differs = differs(state, next + WORD * words, base, place + WORD * words);
                if (differs == 0) {
                    break;
                }
                end = putWord(out, end, differs);
                words++;
            }
            boolean isUnlike = words == BLOCK && end - begin > BLOCK * WORD;
            unlike = isUnlike ? unlike + 1 : 0;
            boolean searches = isUnlike && (unlike & (unlike - 1)) == 0; // at unlike block 1, 2, 4, 8 ...
            int found = searches ? search(state, next, base, place, at, at + baseBytes, unlike) : place;
            if (found != place) {
                end = begin;
                out[end++] = (byte) SHIFT;
                end = LogFormat.putNumber(out, end, found - place);
                place = found; // a similar block is there: the next iteration does not search
            } else {
                next += WORD * words;
                place += WORD * words;
            }
        }
        return end;
    }

    /** Returns how many of the next bytes are equal to the base's. */
    private static int equal(byte[] state, int next, byte[] base, int place, int most) {
        for (int equal = 0; equal <= most - WORD; equal += WORD) {
            long differs = differs(state, next + equal, base, place + equal);
            if (differs != 0) {
                return equal + Long.numberOfTrailingZeros(differs) / Byte.SIZE;
            }
        }
        return most - most % WORD; // the last bytes are less than a word
    }

    /** Writes the different bytes of a word, and returns their end. Writes some bytes beyond that. */
    private static int putWord(byte[] out, int end, long differs) {
        long low = Integer.toUnsignedLong((int) differs);
        long high = differs >>> Integer.SIZE;
        int lows = bytesOf((int) low);
        int highs = bytesOf((int) high);
        out[end] = (byte) (lows | highs << 4);
        LONG.set(out, end + 1, low | (high << (Byte.SIZE * lows)));
        return end + 1 + lows + highs;
    }

    /** Finds the nearest place of the base that is like the state's next block. Returns {@code place} if there is none. */
    private static int search(byte[] state, int next, byte[] base, int place, int first, int last, int unlike) {
        int step = unlike <= 2 ? OFTEN : 1;
        for (int away = step; away <= NEAR; away += step) {
            if (isLike(state, next, base, place + away, first, last)) {
                return place + away;
            }
            if (isLike(state, next, base, place - away, first, last)) {
                return place - away;
            }
        }
        return place;
    }

    private static boolean isLike(byte[] state, int next, byte[] base, int place, int first, int last) {
        if (place < first || place + BLOCK * WORD > last) {
            return false;
        }
        int changed = 0;
        for (int word = 0; word < BLOCK; word++) {
            long differs = differs(state, next + WORD * word, base, place + WORD * word);
            changed += bytesOf((int) differs) + bytesOf((int) (differs >>> Integer.SIZE));
            if (changed > LIKE * (word + 1) + 1) {
                return false;
            }
        }
        return true;
    }

    private static long differs(byte[] state, int next, byte[] base, int place) {
        return (long) LONG.get(state, next) ^ (long) LONG.get(base, place);
    }

    /** Returns how many bytes a number has without its leading bytes of zero. */
    private static int bytesOf(int number) {
        return Integer.BYTES - Integer.numberOfLeadingZeros(number) / Byte.SIZE;
    }

    /**
     * Decodes a state.
     *
     * @param base  an array that has the base
     * @param at    the offset of the base in the array
     * @param delta at the delta; its array continues for {@value #WORD} bytes or more after it
     */
    static byte[] decode(byte[] base, int at, ByteBuffer delta) {
        byte[] state = new byte[(int) LogFormat.getNumber(delta)];
        int next = 0;
        int place = at;
        while (next < state.length) {
            int code = Byte.toUnsignedInt(delta.get());
            int bytes = WORD;
            if (code < RUN) {
                long differs = (long) LONG.get(delta.array(), delta.arrayOffset() + delta.position());
                int lows = Byte.SIZE * (code & 0xF);
                int highs = Byte.SIZE * (code >>> 4);
                long low = differs & ((1L << lows) - 1);
                long high = (differs >>> lows) & ((1L << highs) - 1);
                LONG.set(state, next, (long) LONG.get(base, place) ^ low ^ (high << Integer.SIZE));
                delta.position(delta.position() + (lows + highs) / Byte.SIZE);
            } else if (code == SHIFT) {
                place += (int) LogFormat.getNumber(delta);
                bytes = 0;
            } else if (code == RUN) {
                bytes = (int) LogFormat.getNumber(delta);
                System.arraycopy(base, place, state, next, bytes);
            } else {
                bytes = state.length - next;
                delta.get(state, next, bytes);
            }
            next += bytes;
            place += bytes;
        }
        return state;
    }
}
