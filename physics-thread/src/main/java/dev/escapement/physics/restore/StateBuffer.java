package dev.escapement.physics.restore;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A buffer for the state of a simulation: values are read in the order in which they were written. It grows as needed, and can be reused.
 *
 * <pre>{@code
 * buffer.clear();
 * simulation.save(buffer);
 * buffer.rewind();
 * simulation.restore(buffer);
 * }</pre>
 *
 * <p>One thread at a time. Allocates only when a state is larger than any before.
 *
 * @see Restorable
 */
public final class StateBuffer {

    private ByteBuffer bytes;
    private int size;

    /** Creates an empty buffer. */
    public StateBuffer() {
        bytes = ByteBuffer.allocate(1024);
    }

    /**
     * Creates a buffer with a state that was kept elsewhere, positioned at its first value.
     *
     * @param state what {@link #toBytes} returned; not copied
     */
    public StateBuffer(byte[] state) {
        bytes = ByteBuffer.wrap(state);
        size = state.length;
    }

    /** {@return a copy of the bytes of all values, to keep them elsewhere} */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes.array(), size);
    }

    /** {@return what has the bytes of all values, from its start on, without a copy} Another array when the buffer has grown. */
    public byte[] array() {
        return bytes.array();
    }

    /**
     * Appends all values to another buffer.
     *
     * @param other a buffer with room for {@link #size()} bytes
     */
    public void copyTo(ByteBuffer other) {
        other.put(bytes.array(), 0, size);
    }

    /** Empties the buffer. */
    public void clear() {
        bytes.clear();
        size = 0;
    }

    /** Goes back to the first value. */
    public void rewind() {
        bytes.rewind();
    }

    /** {@return the size of all values, in bytes} */
    public int size() {
        return size;
    }

    /** {@return a hash of all values, the same for the same values} Allocates nothing. */
    public long hash() {
        long hash = StateHash.add(StateHash.start(), size);
        int at = 0;
        for (; at + Long.BYTES <= size; at += Long.BYTES) {
            hash = StateHash.add(hash, bytes.getLong(at));
        }
        for (; at < size; at++) {
            hash = StateHash.add(hash, bytes.get(at));
        }
        return StateHash.finish(hash);
    }

    /** {@return whether there is a next value} */
    public boolean hasMore() {
        return bytes.position() < size;
    }

    /**
     * Appends a number.
     *
     * @param value the number
     * @return this
     */
    public StateBuffer put(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /**
     * Appends a number, bit by bit.
     *
     * @param value the number
     * @return this
     */
    public StateBuffer put(double value) {
        return put(Double.doubleToRawLongBits(value));
    }

    /**
     * Appends a boolean.
     *
     * @param value the boolean
     * @return this
     */
    public StateBuffer put(boolean value) {
        room(1).put((byte) (value ? 1 : 0));
        return this;
    }

    /**
     * Appends a block of bytes with its length, an engine's own snapshot for example.
     *
     * @param value its bytes
     * @return this
     */
    public StateBuffer put(byte[] value) {
        put((long) value.length);
        room(value.length).put(value);
        return this;
    }

    /** {@return the next value} Throws an {@link IllegalStateException} if no more was put. */
    public long getLong() {
        return next(Long.BYTES).getLong();
    }

    /** {@return the next value} Throws an {@link IllegalStateException} if no more was put. */
    public double getDouble() {
        return Double.longBitsToDouble(getLong());
    }

    /** {@return the next value} Throws an {@link IllegalStateException} if no more was put. */
    public boolean getBoolean() {
        return next(1).get() != 0;
    }

    /** {@return a copy of the next bytes} Throws an {@link IllegalStateException} if no more was put. */
    public byte[] getBytes() {
        long length = getLong();
        if (length < 0 || length > size - bytes.position()) {
            throw tooFew(length); // before anything is allocated
        }
        byte[] value = new byte[(int) length];
        bytes.get(value);
        return value;
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            int needed = Math.addExact(bytes.position(), more);
            bytes = ByteBuffer.allocate(Math.max(needed, 2 * bytes.capacity())).put(bytes.flip());
        }
        size = bytes.position() + more;
        return bytes;
    }

    private ByteBuffer next(int wanted) {
        if (size - bytes.position() < wanted) {
            throw tooFew(wanted);
        }
        return bytes;
    }

    private IllegalStateException tooFew(long wanted) {
        return new IllegalStateException(wanted + " bytes are to follow byte " + bytes.position() + " of a state, but "
                + size + " were saved; restore takes what save has put, in the same order");
    }
}
