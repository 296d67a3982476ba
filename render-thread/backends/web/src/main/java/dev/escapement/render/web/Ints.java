package dev.escapement.render.web;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Numbers that are put together and then written. Grows, and is used again. One thread. */
final class Ints {

    int[] values = new int[64];
    int size;

    void add(int value) {
        reserve(1);
        values[size++] = value;
    }

    /** Makes room, so that what follows may write to {@link #values}. */
    void reserve(int more) {
        if (size + more > values.length) {
            values = Arrays.copyOf(values, Math.max(size + more, 2 * values.length));
        }
    }

    void clear() {
        size = 0;
    }

    /** Writes how many entries there are, and the entries. */
    void writeTo(ByteBuffer out, int intsPerEntry) {
        out.putInt(size / intsPerEntry);
        out.asIntBuffer().put(values, 0, size);
        out.position(out.position() + size * Integer.BYTES);
    }

    int bytes() {
        return Integer.BYTES * (1 + size);
    }
}
