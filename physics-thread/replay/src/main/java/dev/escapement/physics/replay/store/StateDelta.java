package dev.escapement.physics.replay.store;

import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.restore.StateBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Describes a state by what differs from another one, its base. Numbers that have changed mostly keep their upper bytes, of which floats have
 * the sign, the exponent and the first digits: these are not stored. Where bytes were added or removed, as with contacts, the places of
 * all later bytes shift; nearby places of the base are then tried. A state that differs everywhere is stored as it is.
 *
 * <pre>
 *   delta          size of the state | each piece
 *   piece          code | what the code says
 *   0x01 to 0x44   a word of 8 bytes: how many lower bytes of its first and, times 16, of its second half differ | their differences, by xor
 *   RUN            a count | that many bytes are as in the base
 *   BYTES          a count | that many bytes
 *   SHIFT          by how much the place in the base moves on
 *   WORDS + n      n words
 * </pre>
 *
 * <p>Each piece begins where the one before it has ended, in the state and in the base. Numbers are as in {@link LogFormat}. One thread.
 * Encoding allocates nothing.
 */
final class StateDelta {

    private static final int RUN = 0x80;
    private static final int BYTES = 0x90;
    private static final int SHIFT = 0xA0;
    private static final int WORDS = 0xC0;

    private static final int WORD = Long.BYTES;

    /** After this many changed words it is asked whether the places have shifted. */
    private static final int BLOCK = 8;

    /** At most this many bytes of a block have changed if the places have not shifted. */
    private static final int LIKE = 7 * BLOCK;

    /** A block that does not shift has at most this many changed bytes a word, and {@link #SLACK} more at its beginning. */
    private static final int SAME = 6;

    private static final int SLACK = 1;

    /** Within this many bytes on both sides a block is searched first. Most shifts come from a contact. */
    private static final int NEAR = 256;

    private static final int FAR = 1 << 16;

    /** Most shifts are by a multiple of this: of Jolt's contacts, a point takes 36 bytes, and what comes before them 30. */
    private static final int OFTEN = 6;

    /** This many words of a state are looked at first. If at most one is equal, and many of their bytes have changed, no delta is worth it. */
    private static final int SAMPLES = 64;

    private static final int CHANGED = 5 * SAMPLES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] base = {};
    private int from;
    private int baseSize;

    private byte[] state = {};
    private int size;

    /** The array of the delta, and where its next byte comes. */
    private byte[] out = {};

    private int end;

    /** How much room to encode a state takes: a ninth byte for each word, and what a word writes beyond its end. */
    static int most(StateBuffer of) {
        return Math.addExact(8 * WORD, Math.addExact(of.size(), of.size() / 2));
    }

    /**
     * Encodes a state.
     *
     * @param holder    an array that has the base
     * @param at        where it begins
     * @param baseBytes how many bytes it has
     * @param of        the state
     * @param to        gets the delta
     * @param start     where it begins there; there is room for {@link #most} after it
     * @return where it ends
     */
    int encode(byte[] holder, int at, int baseBytes, StateBuffer of, byte[] to, int start) {
        base = holder;
        from = at;
        baseSize = baseBytes;
        state = of.array();
        size = of.size();
        out = to;
        end = LogFormat.putNumber(out, start, size);
        if (isAnother()) {
            putBytes(0, size);
        } else {
            putChanges();
        }
        return end;
    }

    private boolean isAnother() {
        if (size < SAMPLES * WORD || baseSize < size) {
            return false;
        }
        int equal = 0;
        int changed = 0;
        int step = size / SAMPLES / WORD * WORD; // numbers begin at words in most states
        for (int at = 0; at < SAMPLES * step; at += step) {
            long differs = differs(at, at);
            equal += differs == 0 ? 1 : 0;
            changed += bytesOf(differs);
        }
        return equal <= 1 && changed >= CHANGED;
    }

    private void putChanges() {
        int next = 0;
        int place = 0;
        int lost = 0; // blocks in a row that are not like the base's
        while (next < size) {
            int most = Math.min(size - next, baseSize - place);
            if (most < WORD) {
                putBytes(next, size);
                return;
            }
            int equal = equal(next, place, most);
            if (equal >= WORD) {
                out[end++] = (byte) RUN;
                end = LogFormat.putNumber(out, end, equal);
                next += equal;
                place += equal;
                lost = 0;
                continue;
            }
            int begin = end;
            int words = putWords(next, place, Math.min(BLOCK, most / WORD));
            if (words == BLOCK) {
                boolean isLike = end - begin <= LIKE + BLOCK;
                lost = isLike ? 0 : lost + 1;
                int found = (lost & (lost - 1)) == 0 && !isLike ? search(next, place, lost) : place;
                if (found != place) {
                    end = begin;
                    out[end++] = (byte) SHIFT;
                    end = LogFormat.putNumber(out, end, found - place);
                    place = found;
                    continue;
                }
            }
            if (end - begin > 1 + words * WORD) {
                end = begin;
                out[end++] = (byte) (WORDS + words);
                System.arraycopy(state, next, out, end, words * WORD);
                end += words * WORD;
            }
            next += words * WORD;
            place += words * WORD;
        }
    }

    /** How many of the next bytes are equal to the base's. */
    private int equal(int next, int place, int most) {
        int equal = 0;
        while (equal <= most - WORD) {
            long differs = differs(next + equal, place + equal);
            if (differs != 0) {
                return equal + Long.numberOfTrailingZeros(differs) / Byte.SIZE;
            }
            equal += WORD;
        }
        return equal;
    }

    /** Puts what differs of words, up to one that is equal. Returns how many words that is. Writes beyond the end. */
    private int putWords(int next, int place, int most) {
        byte[] to = out;
        int put = end;
        int words = 0;
        for (; words < most; words++) {
            long differs = differs(next + WORD * words, place + WORD * words);
            if (differs == 0) {
                break;
            }
            long low = Integer.toUnsignedLong((int) differs);
            long high = differs >>> Integer.SIZE;
            int lows = bytesOf((int) low);
            int highs = bytesOf((int) high);
            to[put] = (byte) (lows | highs << 4);
            LONG.set(to, put + 1, low | (high << (Byte.SIZE * lows)));
            put += 1 + lows + highs;
        }
        end = put;
        return words;
    }

    /** Where the base has a block like the next one: the nearest such place, the same if there is none. */
    private int search(int next, int place, int lost) {
        int step = lost <= 2 ? OFTEN : 1;
        int most = (int) Math.min(FAR, (long) NEAR * lost);
        for (int away = step; away <= most; away += step) {
            if (isLike(next, place + away)) {
                return place + away;
            }
            if (isLike(next, place - away)) {
                return place - away;
            }
        }
        return place;
    }

    private boolean isLike(int next, int place) {
        if (place < 0 || place + BLOCK * WORD > baseSize) {
            return false;
        }
        int changed = 0;
        for (int word = 0; word < BLOCK; word++) {
            changed += bytesOf(differs(next + WORD * word, place + WORD * word));
            if (changed > SAME * (word + 1) + SLACK) {
                return false;
            }
        }
        return true;
    }

    private long differs(int next, int place) {
        return word(state, next) ^ word(base, from + place);
    }

    private static int bytesOf(long differs) {
        return bytesOf((int) differs) + bytesOf((int) (differs >>> Integer.SIZE));
    }

    /** How many bytes a number has without leading zeros. */
    private static int bytesOf(int number) {
        return Integer.BYTES - Integer.numberOfLeadingZeros(number) / Byte.SIZE;
    }

    private void putBytes(int first, int last) {
        out[end++] = (byte) BYTES;
        end = LogFormat.putNumber(out, end, last - first);
        System.arraycopy(state, first, out, end, last - first);
        end += last - first;
    }

    /**
     * Decodes a state.
     *
     * @param holder an array that has the base
     * @param at     where it begins
     * @param delta  at the delta; its array goes on for {@value #WORD} bytes or more after it
     */
    static byte[] decode(byte[] holder, int at, ByteBuffer delta) {
        byte[] state = new byte[(int) LogFormat.getNumber(delta)];
        int next = 0;
        int place = at;
        while (next < state.length) {
            int code = Byte.toUnsignedInt(delta.get());
            int bytes = WORD;
            if (code < RUN) {
                long differs = word(delta.array(), delta.arrayOffset() + delta.position());
                int lows = Byte.SIZE * (code & 0xF);
                int highs = Byte.SIZE * (code >>> 4);
                long low = differs & ((1L << lows) - 1);
                long high = (differs >>> lows) & ((1L << highs) - 1);
                LONG.set(state, next, word(holder, place) ^ low ^ (high << Integer.SIZE));
                delta.position(delta.position() + (lows + highs) / Byte.SIZE);
            } else if (code == SHIFT) {
                place += (int) LogFormat.getNumber(delta);
                bytes = 0;
            } else if (code == RUN) {
                bytes = (int) LogFormat.getNumber(delta);
                System.arraycopy(holder, place, state, next, bytes);
            } else {
                bytes = code == BYTES ? (int) LogFormat.getNumber(delta) : WORD * (code - WORDS);
                delta.get(state, next, bytes);
            }
            next += bytes;
            place += bytes;
        }
        return state;
    }

    private static long word(byte[] of, int at) {
        return (long) LONG.get(of, at);
    }
}
