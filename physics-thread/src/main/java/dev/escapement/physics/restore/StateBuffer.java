package dev.escapement.physics.restore;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

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
 * <p>{@link #toBytes} seals a state with a checksum, and {@link #StateBuffer(byte[])} refuses bytes whose seal is missing or wrong. A
 * simulation begins a state with {@link #putHeader}, and so refuses the states of other simulations.
 *
 * <p>{@link #saveAndCompare} names the first value that differs from another state, and the line of {@code save} that put it.
 *
 * <p>One thread at a time. To save, it allocates only when a state is larger than any before, or to describe a difference.
 *
 * @see Restorable
 */
public final class StateBuffer {

    /** Begins a header: a number that no other state begins with. */
    private static final long HEADER = -0x4553_432D_4845_4144L;

    /** Stands between the values of a state and its checksum, and shows that the end of the state is there. */
    private static final long SEAL = 0x4553_432D_5345_414CL;

    private static final int SEAL_BYTES = Long.BYTES + Integer.BYTES;

    private ByteBuffer bytes;
    private int size;

    /** The state that values are compared with; null outside {@link #saveAndCompare}. */
    private @Nullable StateBuffer expected;

    private int compared;
    private String difference = "";

    /** Creates an empty buffer. */
    public StateBuffer() {
        this(ByteBuffer.allocate(1024));
    }

    /**
     * Creates a buffer with a state that was kept elsewhere, positioned at its first value.
     *
     * @param state what {@link #toBytes} returned; not copied
     * @throws RestoreRefusedException if a byte of it differs, or its end is missing
     */
    public StateBuffer(byte[] state) {
        bytes = ByteBuffer.wrap(state);
        size = state.length - SEAL_BYTES;
        if (size < 0 || bytes.getLong(size) != SEAL) {
            throw new RestoreRefusedException(
                    state.length + " bytes are no saved state, or no whole one: they do not end"
                            + " with its seal; restore another save, by the version that saved it");
        }
        int then = bytes.getInt(state.length - Integer.BYTES);
        int now = checksum(state);
        if (now != then) {
            throw new RestoreRefusedException(
                    "a saved state of " + state.length + " bytes is damaged: its checksum was "
                            + Integer.toHexString(then) + " when it was saved, but is " + Integer.toHexString(now)
                            + "; restore another save");
        }
    }

    /**
     * {@return a buffer with bytes that have no seal, positioned at the first value} For holders with a checksum of their own, such as
     * logs.
     *
     * @param values the {@link #size()} first bytes of {@link #array()}; not copied
     */
    public static StateBuffer unsealed(byte[] values) {
        StateBuffer buffer = new StateBuffer(ByteBuffer.wrap(values));
        buffer.size = values.length;
        return buffer;
    }

    private StateBuffer(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    private static int checksum(byte[] state) {
        CRC32C checksum = new CRC32C();
        checksum.update(state, 0, state.length - Integer.BYTES);
        return (int) checksum.getValue();
    }

    /** {@return a copy of the bytes of all values and their seal, to keep them elsewhere} */
    public byte[] toBytes() {
        byte[] state = Arrays.copyOf(bytes.array(), Math.addExact(size, SEAL_BYTES));
        ByteBuffer sealing = ByteBuffer.wrap(state).putLong(size, SEAL);
        sealing.putInt(state.length - Integer.BYTES, checksum(state));
        return state;
    }

    /** {@return the array that starts with the bytes of all values, without a copy; another one once the buffer has grown} */
    public byte[] array() {
        return bytes.array();
    }

    /** Empties the buffer. */
    public void clear() {
        bytes.clear();
        size = 0;
    }

    /**
     * Replaces the values by a simulation's state, and compares each value with another state.
     *
     * @param simulation the simulation to save
     * @param other      a state that this simulation, or one that was built alike, has saved before
     * @return the position of the first value that differs, both values, and the line of {@code save} that put it; empty if none does
     */
    public String saveAndCompare(Restorable simulation, StateBuffer other) {
        clear();
        expected = other;
        compared = 0;
        difference = "";
        try {
            simulation.save(this);
        } finally {
            expected = null;
        }
        return difference.isEmpty() && size < other.size
                ? "only " + size + " bytes were saved, and " + other.size + " before"
                : difference;
    }

    /** Compares the value that was put last. {@code show} shows a value for people; null for a part of a block of bytes. */
    private StateBuffer compare(int valueBytes, @Nullable BiFunction<StateBuffer, Integer, String> show) {
        StateBuffer other = expected;
        if (other != null && difference.isEmpty()) {
            int from = size - valueBytes;
            compared++;
            if (size > other.size) {
                difference = describe(from, "is more than was saved before");
            } else {
                int differs = Arrays.mismatch(bytes.array(), from, size, other.bytes.array(), from, size);
                if (differs >= 0) {
                    difference = describe(
                            from,
                            show == null
                                    ? "differs from its byte " + differs + " on"
                                    : "was " + show.apply(other, from) + " and is " + show.apply(this, from));
                }
            }
        }
        return this;
    }

    private String describe(int at, String how) {
        String caller = StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().equals(StateBuffer.class.getName()))
                        .findFirst()
                        .map(Object::toString)
                        .orElse("?"));
        return "value " + compared + " of the saved state, at byte " + at + ", " + how + ", put by " + caller;
    }

    /** Shows eight bytes as an integer if its absolute value is below 2^50, else as a floating-point number. */
    private static String number(StateBuffer of, int at) {
        long value = of.bytes.getLong(at);
        return value > -(1L << 50) && value < 1L << 50
                ? Long.toString(value)
                : Double.toString(Double.longBitsToDouble(value));
    }

    private static String flag(StateBuffer of, int at) {
        return Boolean.toString(of.bytes.get(at) != 0);
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

    /**
     * Appends the identity of a world, so that {@link #getHeader} refuses the state in another world. Put it before all other values.
     *
     * @param world  the engine and its version
     * @param bodies how many bodies it has
     * @return this
     */
    public StateBuffer putHeader(String world, long bodies) {
        put(HEADER).put(bodies).put((long) world.length());
        for (int i = 0; i < world.length(); i++) {
            room(Character.BYTES).putChar(world.charAt(i));
            compare(Character.BYTES, null);
        }
        return this;
    }

    /**
     * {@return the number of bodies in the state}
     *
     * @param world the engine and its version, as {@link #putHeader} has taken it
     * @throws RestoreRefusedException if the state is of another world, or has no header
     */
    public long getHeader(String world) {
        int room = size - bytes.position() - 3 * Long.BYTES; // a state without a seal may be cut off anywhere
        boolean headed = room >= 0 && getLong() == HEADER;
        long bodies = headed ? getLong() : 0;
        long length = headed ? getLong() : -1;
        headed = length >= 0 && length <= room / Character.BYTES;
        StringBuilder saved = new StringBuilder();
        for (long left = length; headed && left > 0; left--) {
            saved.append(bytes.getChar());
        }
        if (!headed || !saved.toString().equals(world)) {
            throw new RestoreRefusedException(
                    "the state was saved by " + (headed ? saved : "another simulation, or is only the beginning of one")
                            + ", but is to be restored by " + world + "; restore it where it was saved");
        }
        return bodies;
    }

    /** {@return whether there is a next value} */
    public boolean hasMore() {
        return bytes.position() < size;
    }

    /**
     * Appends a number.
     *
     * @param value the number; an {@code int} comes back from {@code (int) getLong()}
     * @return this
     */
    public StateBuffer put(long value) {
        room(Long.BYTES).putLong(value);
        return compare(Long.BYTES, StateBuffer::number);
    }

    /**
     * Appends the raw bits of a number, so that -0 and every NaN come back as they were.
     *
     * @param value the number; a {@code float} comes back from {@code (float) getDouble()}
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
        return compare(1, StateBuffer::flag);
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
        return compare(value.length, null);
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
            throw tooFew(length); // before an array of a damaged, huge length is allocated
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
