package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a client puts into the log in one message, and how it is written.
 *
 * <pre>
 *   batch    version, byte | client, long | number, from 1 on, long | each entry
 *   event    0 | kind, byte | code, int | x, float | y, float | how long before the batch it happened, in nanoseconds, int
 *   command  1 | bytes of the name, short | name | version, int | bytes, int | each byte
 *   time     2 | what is requested, byte
 *   scale    3 | numerator, long | denominator, long
 *   hashes   4 | node, byte | bytes, short | {@link TickHashes}
 *   run      5 | bytes, int | what must be the same on all nodes, in words
 * </pre>
 *
 * <p>One thread.
 */
final class InputBatch {

    /** Reads batches, and gets their entries, in their order. One thread. */
    abstract static class Reader {

        private DirectBuffer batch = new UnsafeBuffer();
        private int at;
        private int end;

        void event(InputKind kind, int code, float x, float y, int beforeNanos) {}

        void command(CommandData command) {}

        void time(Request request) {}

        void scale(TimeScale scale) {}

        /** The buffer has the bytes of {@link TickHashes} there. */
        void hashes(int node, DirectBuffer buffer, int from, int length) {}

        void run(String sharedByAll) {}

        /**
         * Reads a batch.
         *
         * @throws IllegalArgumentException if it is none; what was read before is lost
         */
        final void read(DirectBuffer from, int offset, int length) {
            if (length < HEADER_BYTES || from.getByte(offset) != VERSION) {
                throw new IllegalArgumentException(
                        length < HEADER_BYTES
                                ? "a batch of inputs has at least " + HEADER_BYTES + " bytes, but this one " + length
                                : "a batch of inputs is of version " + from.getByte(offset) + ", but this is version "
                                        + VERSION);
            }
            batch = from;
            at = offset + HEADER_BYTES;
            end = offset + length;
            int commands = 0;
            while (at < end) {
                commands += batch.getByte(at) == COMMAND ? 1 : 0;
                require(commands <= MOST_COMMANDS);
                readEntry();
            }
        }

        private void readEntry() {
            byte what = batch.getByte(take(1));
            switch (what) {
                case EVENT -> {
                    InputKind kind = InputKind.ofNumber(batch.getByte(take(1)));
                    int code = nextInt();
                    float x = Float.intBitsToFloat(nextInt());
                    float y = Float.intBitsToFloat(nextInt());
                    int beforeNanos = nextInt();
                    if (kind == null || !kind.hasCode(code) || beforeNanos < 0) {
                        throw new IllegalArgumentException("a batch of inputs has an event of no known kind");
                    }
                    event(kind, code, x, y, beforeNanos);
                }
                case COMMAND -> {
                    String name = new String(nextBytes(batch.getShort(take(Short.BYTES))), StandardCharsets.UTF_8);
                    CommandName type = new CommandName(name, nextInt());
                    command(new CommandData(type, nextBytes(nextInt())));
                }
                case TIME -> {
                    byte number = batch.getByte(take(1));
                    time(Stream.of(Request.values())
                            .filter(request -> request.number == number)
                            .findFirst()
                            .orElseThrow(() ->
                                    new IllegalArgumentException("a batch of inputs asks of time what has no name")));
                }
                case SCALE -> scale(new TimeScale(nextLong(), nextLong()));
                case HASHES -> {
                    int node = batch.getByte(take(1));
                    int length = batch.getShort(take(Short.BYTES));
                    int from = take(length);
                    require(TickHashes.areIn(batch, from, length));
                    hashes(node, batch, from, length);
                }
                case RUN -> run(new String(nextBytes(nextInt()), StandardCharsets.UTF_8));
                default -> throw new IllegalArgumentException("a batch of inputs has an entry of kind " + what);
            }
        }

        /** Goes on by some bytes, and returns where they begin. */
        private int take(int bytes) {
            require(bytes >= 0 && bytes <= end - at);
            at += bytes;
            return at - bytes;
        }

        private int nextInt() {
            return batch.getInt(take(Integer.BYTES));
        }

        private long nextLong() {
            return batch.getLong(take(Long.BYTES));
        }

        private byte[] nextBytes(int length) {
            int from = take(length);
            byte[] bytes = new byte[length];
            batch.getBytes(from, bytes);
            return bytes;
        }

        private static void require(boolean holds) {
            if (!holds) {
                throw new IllegalArgumentException("a batch of inputs is damaged");
            }
        }
    }

    /** What can be requested of time, besides its speed. */
    enum Request {
        PAUSE(1),
        RESUME(2),
        STEP(3);

        private final byte number;

        Request(int number) {
            this.number = (byte) number;
        }
    }

    /** From then on nothing is added: with another command, or the events of a whole ring, it is as large as a message may be. */
    private static final int FULL_BYTES = 50_000;

    /** Each of them has a bit in the answer. */
    static final int MOST_COMMANDS = 512;

    private static final byte VERSION = 1;
    private static final byte EVENT = 0;
    private static final byte COMMAND = 1;
    private static final byte TIME = 2;
    private static final byte SCALE = 3;
    private static final byte HASHES = 4;
    private static final byte RUN = 5;
    private static final int CLIENT_AT = 1;
    private static final int NUMBER_AT = CLIENT_AT + Long.BYTES;
    private static final int HEADER_BYTES = NUMBER_AT + Long.BYTES;
    private static final int EVENT_BYTES = 2 + 4 * Integer.BYTES;
    private static final int SCALE_BYTES = 1 + 2 * Long.BYTES;

    private final MutableDirectBuffer buffer = new ExpandableArrayBuffer(HEADER_BYTES);
    private final long client;
    private int size = HEADER_BYTES;
    private int commands;

    /** An empty batch of a client. */
    InputBatch(long client) {
        this.client = client;
    }

    boolean isEmpty() {
        return size == HEADER_BYTES;
    }

    boolean hasRoom() {
        return size < FULL_BYTES && commands < MOST_COMMANDS;
    }

    void event(InputKind kind, int code, float x, float y, long beforeNanos) {
        buffer.putByte(size, EVENT);
        buffer.putByte(size + 1, kind.number());
        buffer.putInt(size + 2, code);
        buffer.putFloat(size + 6, x);
        buffer.putFloat(size + 10, y);
        buffer.putInt(size + 14, (int) Math.max(0, Math.min(Integer.MAX_VALUE, beforeNanos)));
        size += EVENT_BYTES;
    }

    void command(CommandData command) {
        byte[] name = command.type().name().getBytes(StandardCharsets.UTF_8);
        buffer.putByte(size, COMMAND);
        buffer.putShort(size + 1, (short) name.length);
        buffer.putBytes(size + 3, name);
        size += 3 + name.length;
        buffer.putInt(size, command.type().version());
        buffer.putInt(size + 4, command.bytes().length);
        buffer.putBytes(size + 8, command.bytes());
        size += 8 + command.bytes().length;
        commands++;
    }

    void time(Request request) {
        buffer.putByte(size, TIME);
        buffer.putByte(size + 1, request.number);
        size += 2;
    }

    void scale(TimeScale scale) {
        buffer.putByte(size, SCALE);
        buffer.putLong(size + 1, scale.numerator());
        buffer.putLong(size + 9, scale.denominator());
        size += SCALE_BYTES;
    }

    void hashes(int node, TickHashes hashes) {
        buffer.putByte(size, HASHES);
        buffer.putByte(size + 1, (byte) node);
        buffer.putShort(size + 2, (short) hashes.bytes().length);
        buffer.putBytes(size + 4, hashes.bytes());
        size += 4 + hashes.bytes().length;
    }

    void run(String sharedByAll) {
        byte[] words = sharedByAll.getBytes(StandardCharsets.UTF_8);
        buffer.putByte(size, RUN);
        buffer.putInt(size + 1, words.length);
        buffer.putBytes(size + 5, words);
        size += 5 + words.length;
    }

    /** The bytes so far, as a batch with a number. The next batch begins. */
    byte[] take(long number) {
        buffer.putByte(0, VERSION);
        buffer.putLong(CLIENT_AT, client);
        buffer.putLong(NUMBER_AT, number);
        byte[] bytes = new byte[size];
        buffer.getBytes(0, bytes);
        size = HEADER_BYTES;
        commands = 0;
        return bytes;
    }

    static long client(DirectBuffer batch, int offset) {
        return batch.getLong(offset + CLIENT_AT);
    }

    static long number(DirectBuffer batch, int offset) {
        return batch.getLong(offset + NUMBER_AT);
    }
}
