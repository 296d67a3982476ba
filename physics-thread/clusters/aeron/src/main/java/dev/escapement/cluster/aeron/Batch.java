package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One message of a client to the log: a batch of entries. Defines the format of batches and of their acknowledgements.
 *
 * <pre>
 *   batch    version, byte | client, long | number, from 1 on, long
 *            role, byte: 1 if the client joins as a sender of input, 2 if it leaves, 0 otherwise | each entry
 *   event    0 | kind, byte | code, int | x, float | y, float | how long before the batch it happened, in nanoseconds, int
 *   command  1 | bytes of the name, int | name | version, int | bytes, int | each byte
 *   time     2 | what is requested, byte
 *   scale    3 | numerator, long | denominator, long
 *   hashes   4 | node, byte | last tick, a multiple of 16, long | hash after each of 16 ticks, long
 *   world    5 | bytes, int | description of the settings that all nodes share | identity, or a proposal, 2 longs
 * </pre>
 *
 * <p>Immutable, as long as nobody writes to {@link #bytes}; any thread may use it.
 *
 * @param clientId the number of the client
 * @param number   the number of the batch; a client counts its batches from 1
 * @param role     {@link #JOINS} or {@link #LEAVES} if the client joins or leaves, else 0
 * @param bytes    the encoded batch
 * @param entries  the entries, in order
 * @param commands the data of the commands, in order
 */
@SuppressWarnings("ArrayRecordComponent") // records of this type are never compared
record Batch(
        long clientId, long number, byte role, byte[] bytes, List<Batch.Entry> entries, List<CommandData> commands) {

    sealed interface Entry {}

    record Event(InputKind kind, int code, float x, float y, int beforeNanos) implements Entry {}

    record Command(CommandData data) implements Entry {}

    record Scale(TimeScale scale) implements Entry {}

    record Hashes(int node, TickHashes hashes) implements Entry {}

    record World(String sharedByAll, UUID id) implements Entry {}

    enum Request implements Entry {
        PAUSE(1),
        RESUME(2),
        STEP(3);

        private final byte number;

        Request(int number) {
            this.number = (byte) number;
        }
    }

    /** Maximum number of commands of a batch. The acknowledgement of a batch has one bit for each. */
    static final int MAX_COMMANDS = 512;

    static final byte JOINS = 1;
    static final byte LEAVES = 2;

    // The first byte of an entry, which says of which kind it is.
    private static final byte EVENT = 0;
    private static final byte COMMAND = 1;
    private static final byte TIME = 2;
    private static final byte SCALE = 3;
    private static final byte HASHES = 4;
    private static final byte WORLD = 5;

    /** Reads a batch. Throws an {@link IllegalArgumentException} if the bytes are no batch. */
    static Batch of(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        List<Entry> entries = new ArrayList<>();
        try {
            byte version = from.get();
            if (version != ClusterNode.FORMAT_VERSION) {
                throw new IllegalArgumentException("a batch of inputs is of version " + version
                        + ", but this is version " + ClusterNode.FORMAT_VERSION);
            }
            long clientId = from.getLong();
            long number = from.getLong();
            byte role = from.get();
            List<CommandData> commands = new ArrayList<>();
            while (from.hasRemaining()) {
                Entry entry = next(from);
                entries.add(entry);
                if (entry instanceof Command command) {
                    commands.add(command.data);
                }
            }
            require(commands.size() <= MAX_COMMANDS);
            return new Batch(clientId, number, role, bytes, entries, commands);
        } catch (BufferUnderflowException e) {
            throw damaged();
        }
    }

    private static Entry next(ByteBuffer from) {
        byte what = from.get();
        return switch (what) {
            case EVENT -> {
                InputKind kind = InputKind.ofNumber(from.get());
                if (kind == null) {
                    throw damaged();
                }
                Event event = new Event(kind, from.getInt(), from.getFloat(), from.getFloat(), from.getInt());
                require(kind.hasCode(event.code) && event.beforeNanos >= 0);
                yield event;
            }
            case COMMAND -> {
                CommandName type = new CommandName(text(from), from.getInt());
                yield new Command(new CommandData(type, bytes(from)));
            }
            case TIME -> {
                byte number = from.get();
                yield Stream.of(Request.values())
                        .filter(request -> request.number == number)
                        .findFirst()
                        .orElseThrow(Batch::damaged);
            }
            case SCALE -> new Scale(new TimeScale(from.getLong(), from.getLong()));
            case HASHES -> {
                int node = from.get();
                TickHashes hashes = new TickHashes(from.getLong(), new long[TickHashes.TICKS]);
                require(hashes.lastTick() > 0 && hashes.lastTick() % TickHashes.TICKS == 0);
                Arrays.setAll(hashes.hashes(), tick -> from.getLong());
                yield new Hashes(node, hashes);
            }
            case WORLD -> new World(text(from), new UUID(from.getLong(), from.getLong()));
            default -> throw new IllegalArgumentException("a batch of inputs has an entry of kind " + what);
        };
    }

    private static String text(ByteBuffer from) {
        return new String(bytes(from), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer from) {
        int length = from.getInt();
        require(length >= 0 && length <= from.remaining());
        byte[] bytes = new byte[length];
        from.get(bytes);
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

    /** Encodes the batches of a client, one after the other. Only one thread may use it. */
    static final class Writer {

        /**
         * A batch of this size takes no more entries. Up to it, one more command, or all events of a full ring, still fit into Aeron's
         * largest message.
         */
        private static final int FULL_BYTES = 50_000;

        private static final int BUFFER_BYTES = 1 << 17;
        private static final int CLIENT_AT = 1;
        private static final int NUMBER_AT = CLIENT_AT + Long.BYTES;
        private static final int ROLE_AT = NUMBER_AT + Long.BYTES;
        private static final int HEADER_BYTES = ROLE_AT + 1;

        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).position(HEADER_BYTES);
        private final long clientId;
        private int commands;

        Writer(long clientId) {
            this.clientId = clientId;
        }

        boolean isEmpty() {
            return buffer.position() == HEADER_BYTES;
        }

        boolean hasRoom() {
            return buffer.position() < FULL_BYTES && commands < MAX_COMMANDS;
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
            buffer.put(HASHES).put((byte) node).putLong(hashes.lastTick());
            Arrays.stream(hashes.hashes()).forEach(buffer::putLong);
        }

        void world(String sharedByAll, UUID id) {
            buffer.put(WORLD);
            put(sharedByAll);
            buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }

        void role(byte role) {
            buffer.put(ROLE_AT, role);
        }

        /** Returns the encoded batch, numbered {@code batchNumber}, and begins the next batch. */
        byte[] take(long batchNumber) {
            buffer.put(0, ClusterNode.FORMAT_VERSION)
                    .putLong(CLIENT_AT, clientId)
                    .putLong(NUMBER_AT, batchNumber);
            byte[] bytes = Arrays.copyOf(buffer.array(), buffer.position());
            buffer.position(HEADER_BYTES);
            commands = 0;
            return bytes;
        }
    }

    /**
     * Acknowledges to a client that a batch is in the log, and says which of its commands are refused.
     *
     * <pre>
     *   number of the batch, long | number of the client as a sender of input, int: 0 if the client is no sender
     *   byte: 1 if there was no room for the commands of the batch, so that none of them runs
     *   for each command of the batch a bit: 1 if the simulation has no handler for the command
     * </pre>
     *
     * <p>Any thread may call any method.
     */
    static final class Acknowledgement {

        private static final int SENDER_AT = Long.BYTES;
        private static final int NO_ROOM_AT = SENDER_AT + Integer.BYTES;
        private static final int BITS_AT = NO_ROOM_AT + 1;
        static final int BYTES = BITS_AT + MAX_COMMANDS / Byte.SIZE;

        private Acknowledgement() {}

        static void write(UnsafeBuffer to, Batch batch, int sender, boolean hadRoom, Predicate<CommandName> handled) {
            to.setMemory(0, BYTES, (byte) 0);
            to.putLong(0, batch.number());
            to.putInt(SENDER_AT, sender);
            to.putByte(NO_ROOM_AT, (byte) (hadRoom ? 0 : 1));
            for (int i = 0; i < batch.commands().size(); i++) {
                int at = BITS_AT + i / Byte.SIZE;
                int bit = handled.test(batch.commands().get(i).type()) ? 0 : 1 << i % Byte.SIZE;
                to.putByte(at, (byte) (to.getByte(at) | bit));
            }
        }

        static long batchNumber(DirectBuffer from, int offset) {
            return from.getLong(offset);
        }

        static int sender(DirectBuffer from, int offset) {
            return from.getInt(offset + SENDER_AT);
        }

        /** Returns why a command of the batch is refused; null if it runs. */
        static @Nullable String refusal(DirectBuffer from, int offset, int command, CommandName type) {
            int bits = from.getByte(offset + BITS_AT + command / Byte.SIZE);
            return refusal((bits >> command % Byte.SIZE & 1) == 0, from.getByte(offset + NO_ROOM_AT) == 0, type);
        }

        static @Nullable String refusal(boolean isHandled, boolean hasRoom, CommandName type) {
            if (!isHandled) {
                return "the simulation of the cluster has no handler for commands of type " + type
                        + "; add one with commands().on(...) on all nodes";
            }
            return hasRoom
                    ? null
                    : "no more commands can wait for the next tick than " + LogClients.MAX_COMMAND_BYTES
                            + " bytes; offer fewer while time stands still";
        }
    }
}
