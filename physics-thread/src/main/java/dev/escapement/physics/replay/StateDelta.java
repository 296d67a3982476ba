package dev.escapement.physics.replay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Describes a state by what differs from another one, its base. Numbers that have changed mostly keep their upper bytes, of which floats have
 * the sign, the exponent and the first digits: these are not stored. Where bytes were added or removed, as those of contacts, the places of
 * all later bytes shift; they are found in the base by their content. A state that differs everywhere is stored as it is.
 *
 * <pre>
 *   delta          size of the state | each piece
 *   piece          code | what the code says
 *   0x00           a word of 8 bytes that is that of the base
 *   0x01 to 0x44   a word that is not: how many lower bytes of its first and, times 16, of its second half differ | their differences, by xor
 *   RUN            a count | that many bytes are those of the base
 *   BYTES          a count | that many bytes
 *   SHIFT          by how much the place in the base moves on
 *   WORDS + n      n words
 * </pre>
 *
 * <p>Each piece begins where the one before it has ended, in the state and in the base. Numbers are those of {@link LogFormat}. One thread.
 * Allocates only when a base or a state is larger than any before.
 */
final class StateDelta {

    private static final int RUN = 0x80;
    private static final int BYTES = 0x90;
    private static final int SHIFT = 0xA0;
    private static final int WORDS = 0xC0;
    private static final int MAX_WORDS = 0x3F;

    private static final int WORD = Long.BYTES;

    /** The base is searched for this many bytes. */
    private static final int BLOCK = 2 * WORD;

    /** After each this many bytes of the base there is a block that can be found. */
    private static final int BLOCK_STEP = 4;

    /** A word with this many changed bytes may be another one. */
    private static final int MUCH = 7;

    /** After this many words in a row with many changed bytes, the places are taken to have shifted. */
    private static final int LOST = 3;

    /** This many words of a state are looked at first. If at most one is equal, and many of their bytes have changed, no delta is worth it. */
    private static final int SAMPLES = 64;

    private static final int CHANGED = 5 * SAMPLES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** By the hash of a block, one more than its place in the base; 0 if there is none. */
    private int[] places = {};

    private boolean indexed;
    private byte[] base = {};
    private int from;
    private int baseSize;

    private ByteBuffer delta = ByteBuffer.allocate(0);

    /** The array of the delta, and where its next byte comes. */
    private byte[] out = delta.array();

    private int end;

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
        begin(size);
        if (isAnother(state, size)) {
            putBytes(state, 0, size);
        } else {
            putChanges(state, size);
        }
        return delta.limit(end).position(0);
    }

    /** Makes room for the most that a state can take: a ninth byte for each word, and more codes only where a block follows that is equal. */
    private void begin(int size) {
        int most = Math.addExact(8 * WORD, Math.addExact(size, size / 2));
        if (out.length < most) {
            delta = ByteBuffer.allocate(most);
            out = delta.array();
        }
        end = 0;
        putNumber(size);
    }

    private boolean isAnother(byte[] state, int size) {
        if (size < SAMPLES * WORD || baseSize < size) {
            return false;
        }
        int equal = 0;
        int changed = 0;
        int step = size / SAMPLES / WORD * WORD; // numbers begin at words in most states
        for (int sample = 0; sample < SAMPLES; sample++) {
            int at = sample * step;
            long differs = word(state, at) ^ word(base, from + at);
            equal += differs == 0 ? 1 : 0;
            changed += bytesOf((int) differs) + bytesOf((int) (differs >>> Integer.SIZE));
        }
        return equal <= 1 && changed >= CHANGED;
    }

    private void putChanges(byte[] state, int size) {
        int next = 0;
        int place = 0;
        int literal =
                0; // where words begin that are not yet put, because others may follow that have nothing of the base
        int lost = 0;
        while (next <= size - WORD) {
            boolean inBase = place >= 0 && place <= baseSize - WORD;
            long differs = inBase ? word(state, next) ^ word(base, from + place) : -1;
            if (differs == 0) {
                putWords(state, literal, next);
                int equal = putEqual(state, next, place, Math.min(size - next, baseSize - place));
                next += equal;
                place += equal;
                literal = next;
                lost = 0;
                continue;
            }
            int low = bytesOf((int) differs);
            int high = bytesOf((int) (differs >>> Integer.SIZE));
            lost = low + high < MUCH ? 0 : lost + 1;
            int again = lost > LOST && isWorthASearch(lost) ? search(state, next, size, lost) : -1;
            if (again >= 0) {
                int found = find(state, again);
                putWords(state, literal, next);
                putBytes(state, next, again);
                out[end++] = (byte) SHIFT;
                putNumber(found - place - (again - next));
                next = again;
                place = found;
                literal = next;
                lost = 0;
                continue;
            }
            if (low + high < WORD) {
                putWords(state, literal, next);
                literal = next + WORD;
                putChanged(differs, low, high);
            }
            next += WORD;
            place += WORD;
        }
        putWords(state, literal, next);
        putBytes(state, next, size);
    }

    /** Less and less often, so that what is new everywhere costs little. */
    private static boolean isWorthASearch(int lost) {
        return (lost & (lost >>> 4)) == 0;
    }

    /** How many bytes a number has without leading zeros. */
    private static int bytesOf(int number) {
        return Integer.BYTES - Integer.numberOfLeadingZeros(number) / Byte.SIZE;
    }

    /** Puts a word that is equal, and what is equal after it. Returns how many bytes that is, at most {@code most}. */
    private int putEqual(byte[] state, int next, int place, int most) {
        if (most < 2 * WORD || word(state, next + WORD) != word(base, from + place + WORD)) {
            out[end++] = 0;
            return WORD;
        }
        int at = from + place;
        int differing = Arrays.mismatch(state, next, next + most, base, at, at + most);
        int equal = differing < 0 ? most : differing;
        out[end++] = (byte) RUN;
        putNumber(equal);
        return equal;
    }

    /** Puts all four bytes of both halves, of which what follows overwrites those that have not changed. */
    private void putChanged(long differs, int low, int high) {
        out[end] = (byte) (low | high << 4);
        INT.set(out, end + 1, (int) differs);
        INT.set(out, end + 1 + low, (int) (differs >>> Integer.SIZE));
        end += 1 + low + high;
    }

    private void putWords(byte[] state, int first, int last) {
        for (int at = first; at < last; ) {
            int bytes = Math.min(MAX_WORDS * WORD, last - at);
            out[end++] = (byte) (WORDS + bytes / WORD);
            System.arraycopy(state, at, out, end, bytes);
            end += bytes;
            at += bytes;
        }
    }

    private void putBytes(byte[] state, int first, int last) {
        if (first < last) {
            out[end++] = (byte) BYTES;
            putNumber(last - first);
            System.arraycopy(state, first, out, end, last - first);
            end += last - first;
        }
    }

    private void putNumber(int number) {
        delta.limit(out.length).position(end);
        LogFormat.putNumber(delta, number);
        end = delta.position();
    }

    /** Decodes a state, with the base at a place of an array. */
    static byte[] decode(byte[] holder, int at, ByteBuffer delta) {
        byte[] state = new byte[(int) LogFormat.getNumber(delta)];
        int next = 0;
        int place = at;
        while (next < state.length) {
            int code = Byte.toUnsignedInt(delta.get());
            int bytes = WORD;
            if (code == SHIFT) {
                place += (int) LogFormat.getNumber(delta);
                bytes = 0;
            } else if (code == RUN || code == 0) {
                bytes = code == 0 ? WORD : (int) LogFormat.getNumber(delta);
                System.arraycopy(holder, place, state, next, bytes);
            } else if (code == BYTES || code >= WORDS) {
                bytes = code == BYTES ? (int) LogFormat.getNumber(delta) : WORD * (code - WORDS);
                delta.get(state, next, bytes);
            } else {
                long low = getLow(delta, code & 0xF);
                LONG.set(state, next, word(holder, place) ^ low ^ (getLow(delta, code >>> 4) << Integer.SIZE));
            }
            next += bytes;
            place += bytes;
        }
        return state;
    }

    private static long getLow(ByteBuffer delta, int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= Byte.toUnsignedLong(delta.get()) << (Byte.SIZE * i);
        }
        return number;
    }

    /** Where within the next word a block begins that the base has elsewhere, -1 if none is known. Most shifts are by an even number. */
    private int search(byte[] state, int next, int size, int lost) {
        int step = lost % 4 == 0 ? 1 : 2;
        for (int at = next; at < next + WORD && at <= size - BLOCK; at += step) {
            if (find(state, at) >= 0) {
                return at;
            }
        }
        return -1;
    }

    /** A place in the base with the next block of the state, -1 if none is known. */
    private int find(byte[] state, int next) {
        if (!indexed) {
            index();
        }
        int place = places[hash(state, next)] - 1;
        return place >= 0
                        && word(state, next) == word(base, from + place)
                        && word(state, next + WORD) == word(base, from + place + WORD)
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
        long mixed = (word(of, at) * 0x9E3779B97F4A7C15L + word(of, at + WORD)) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> 32) & (places.length - 1);
    }

    private static long word(byte[] of, int at) {
        return (long) LONG.get(of, at);
    }
}
