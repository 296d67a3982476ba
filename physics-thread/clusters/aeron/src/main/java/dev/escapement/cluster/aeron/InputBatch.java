package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What a client puts into the log in one message, and how it is written.
 *
 * <pre>
 *   batch    version, byte | client, long | number, from 1 on, long | each entry
 *   event    0 | kind, byte | code, int | x, float | y, float | how long before the batch it happened, in nanoseconds, int
 *   command  1 | bytes of the name, int | name | version, int | bytes, int | each byte
 *   time     2 | what is requested, byte
 *   scale    3 | numerator, long | denominator, long
 *   hashes   4 | node, byte | bytes, int | {@link TickHashes}
 *   run      5 | bytes, int | what must be the same on all nodes, in words
 * </pre>
 *
 * <p>One thread.
 */
final class InputBatch {

    /** Reads batches, and gets their entries, in their order. One thread. */
    abstract static class Reader {

        void event(InputKind kind, int code, float x, float y, int beforeNanos) {}

        void command(CommandData command) {}

        void time(Request request) {}

        void scale(TimeScale scale) {}

        /** The bytes of {@link TickHashes} are next in the buffer, which keeps its position. */
        void hashes(int node, ByteBuffer bytes, int length) {}

        void run(String sharedByAll) {}

        /**
         * Reads a batch, from its first byte on.
         *
         * @throws IllegalArgumentException if it is none; what was read before is lost
         */
        final void read(ByteBuffer batch) {
            try {
                byte version = batch.rewind().get();
                if (version != VERSION) {
                    throw new IllegalArgumentException(
                            "a batch of inputs is of version " + version + ", but this is version " + VERSION);
                }
                batch.getLong(); // client
                batch.getLong(); // number
                int commands = 0;
                while (batch.hasRemaining()) {
                    byte what = batch.get();
                    commands += what == COMMAND ? 1 : 0;
                    require(commands <= MOST_COMMANDS);
                    readEntry(what, batch);
                }
            } catch (BufferUnderflowException e) {
                throw damaged();
            }
        }

        private void readEntry(byte what, ByteBuffer batch) {
            switch (what) {
                case EVENT -> {
                    InputKind kind = InputKind.ofNumber(batch.get());
                    int code = batch.getInt();
                    float x = batch.getFloat();
                    float y = batch.getFloat();
                    int beforeNanos = batch.getInt();
                    if (kind == null || !kind.hasCode(code) || beforeNanos < 0) {
                        throw new IllegalArgumentException("a batch of inputs has an event of no known kind");
                    }
                    event(kind, code, x, y, beforeNanos);
                }
                case COMMAND -> {
                    String name = text(batch);
                    CommandName type = new CommandName(name, batch.getInt());
                    command(new CommandData(type, bytes(batch)));
                }
                case TIME -> {
                    byte number = batch.get();
                    time(Stream.of(Request.values())
                            .filter(request -> request.number == number)
                            .findFirst()
                            .orElseThrow(Reader::damaged));
                }
                case SCALE -> scale(new TimeScale(batch.getLong(), batch.getLong()));
                case HASHES -> {
                    int node = batch.get();
                    int length = batch.getInt();
                    require(length <= batch.remaining() && TickHashes.areIn(batch, length));
                    hashes(node, batch, length);
                    batch.position(batch.position() + length);
                }
                case RUN -> run(text(batch));
                default -> throw new IllegalArgumentException("a batch of inputs has an entry of kind " + what);
            }
        }

        private static String text(ByteBuffer batch) {
            return new String(bytes(batch), StandardCharsets.UTF_8);
        }

        private static byte[] bytes(ByteBuffer batch) {
            int length = batch.getInt();
            require(length >= 0 && length <= batch.remaining());
            byte[] bytes = new byte[length];
            batch.get(bytes);
            return bytes;
        }

        private static void require(boolean holds) {
            if (!holds) {
                throw damaged();
            }
        }

        private static IllegalArgumentException damaged() {
            return new IllegalArgumentException("a batch of inputs is damaged");
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

    private static final int MOST_BYTES = 1 << 17;

    /** Each of them has a bit in the answer. */
    static final int MOST_COMMANDS = 512;

    private static final byte VERSION = 2;
    private static final byte EVENT = 0;
    private static final byte COMMAND = 1;
    private static final byte TIME = 2;
    private static final byte SCALE = 3;
    private static final byte HASHES = 4;
    private static final byte RUN = 5;
    private static final int CLIENT_AT = 1;
    private static final int NUMBER_AT = CLIENT_AT + Long.BYTES;
    private static final int HEADER_BYTES = NUMBER_AT + Long.BYTES;

    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES).position(HEADER_BYTES);
    private final long client;
    private int commands;

    /** An empty batch of a client. */
    InputBatch(long client) {
        this.client = client;
    }

    boolean isEmpty() {
        return buffer.position() == HEADER_BYTES;
    }

    boolean hasRoom() {
        return buffer.position() < FULL_BYTES && commands < MOST_COMMANDS;
    }

    void event(InputKind kind, int code, float x, float y, long beforeNanos) {
        buffer.put(EVENT).put(kind.number()).putInt(code).putFloat(x).putFloat(y);
        buffer.putInt((int) Math.max(0, Math.min(Integer.MAX_VALUE, beforeNanos)));
    }

    void command(CommandData command) {
        buffer.put(COMMAND);
        put(command.type().name());
        buffer.putInt(command.type().version());
        buffer.putInt(command.bytes().length).put(command.bytes());
        commands++;
    }

    private void put(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putInt(bytes.length).put(bytes);
    }

    void time(Request request) {
        buffer.put(TIME).put(request.number);
    }

    void scale(TimeScale scale) {
        buffer.put(SCALE).putLong(scale.numerator()).putLong(scale.denominator());
    }

    void hashes(int node, TickHashes hashes) {
        buffer.put(HASHES).put((byte) node).putInt(hashes.bytes().length).put(hashes.bytes());
    }

    void run(String sharedByAll) {
        buffer.put(RUN);
        put(sharedByAll);
    }

    /** The bytes so far, as a batch with a number. The next batch begins. */
    byte[] take(long number) {
        buffer.put(0, VERSION).putLong(CLIENT_AT, client).putLong(NUMBER_AT, number);
        byte[] bytes = Arrays.copyOf(buffer.array(), buffer.position());
        buffer.position(HEADER_BYTES);
        commands = 0;
        return bytes;
    }

    static long client(ByteBuffer batch) {
        return batch.getLong(CLIENT_AT);
    }

    static long number(ByteBuffer batch) {
        return batch.getLong(NUMBER_AT);
    }
}
