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

/**
 * What a client puts into the log in one message, and how it is written.
 *
 * <pre>
 *   batch    version, byte | client, long | number, from 1 on, long | each entry
 *   event    0 | kind, byte | code, int | x, float | y, float | how long before the batch it happened, in nanoseconds, int
 *   command  1 | bytes of the name, short | name | version, int | bytes, int | each byte
 *   time     2 | what is requested, byte
 *   scale    3 | numerator, long | denominator, long
 *   hashes   4 | node, byte | first tick, long | ticks, short | hash after each, long
 *   run      5 | bytes, int | what must be the same on all nodes, in words
 *   groups   6 | node, byte | tick, long | groups, short | hash of each after the tick, int
 * </pre>
 *
 * <p>One thread.
 */
final class InputBatch {

    /** Gets the entries of a batch, in their order. */
    interface Visitor {
        default void event(InputKind kind, int code, float x, float y, int beforeNanos) {}

        default void command(CommandData command) {}

        default void time(Request request) {}

        default void scale(TimeScale scale) {}

        default void hash(int node, long tick, long hash) {}

        /** The buffer has that many integers there. */
        default void groups(int node, long tick, DirectBuffer buffer, int at, int count) {}

        default void run(String sharedByAll) {}
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
    private static final byte GROUPS = 6;
    private static final int CLIENT_AT = 1;
    private static final int NUMBER_AT = CLIENT_AT + Long.BYTES;
    private static final int HEADER_BYTES = NUMBER_AT + Long.BYTES;
    private static final int EVENT_BYTES = 2 + 4 * Integer.BYTES;
    private static final int SCALE_BYTES = 1 + 2 * Long.BYTES;
    private static final int HASHES_BYTES = 4 + Long.BYTES;

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

    /** The hashes after consecutive ticks. */
    void hashes(int node, long firstTick, long[] hashes) {
        beginHashes(HASHES, node, firstTick, hashes.length);
        for (long hash : hashes) {
            buffer.putLong(size, hash);
            size += Long.BYTES;
        }
    }

    /** The hashes of groups of bodies after a tick, before those of ticks up to that. */
    void groups(int node, long tick, int[] hashes) {
        beginHashes(GROUPS, node, tick, hashes.length);
        for (int hash : hashes) {
            buffer.putInt(size, hash);
            size += Integer.BYTES;
        }
    }

    private void beginHashes(byte kind, int node, long tick, int count) {
        buffer.putByte(size, kind);
        buffer.putByte(size + 1, (byte) node);
        buffer.putLong(size + 2, tick);
        buffer.putShort(size + 10, (short) count);
        size += HASHES_BYTES;
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

    /**
     * Reads a batch.
     *
     * @throws IllegalArgumentException if it is none; what was visited before is lost
     */
    static void read(DirectBuffer batch, int offset, int length, Visitor visitor) {
        if (length < HEADER_BYTES || batch.getByte(offset) != VERSION) {
            throw new IllegalArgumentException(
                    length < HEADER_BYTES
                            ? "a batch of inputs has at least " + HEADER_BYTES + " bytes, but this one " + length
                            : "a batch of inputs is of version " + batch.getByte(offset) + ", but this is version "
                                    + VERSION);
        }
        try {
            int at = offset + HEADER_BYTES;
            int commands = 0;
            while (at < offset + length) {
                commands += batch.getByte(at) == COMMAND ? 1 : 0;
                require(commands <= MOST_COMMANDS);
                at = readEntry(batch, at, offset + length, visitor);
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a batch of inputs ends within an entry", e);
        }
    }

    private static int readEntry(DirectBuffer batch, int at, int end, Visitor visitor) {
        byte what = batch.getByte(at);
        switch (what) {
            case EVENT -> {
                require(at + EVENT_BYTES <= end);
                InputKind kind = InputKind.ofNumber(batch.getByte(at + 1));
                int code = batch.getInt(at + 2);
                int beforeNanos = batch.getInt(at + 14);
                if (kind == null || !kind.hasCode(code) || beforeNanos < 0) {
                    throw new IllegalArgumentException("a batch of inputs has an event of no known kind");
                }
                visitor.event(kind, code, batch.getFloat(at + 6), batch.getFloat(at + 10), beforeNanos);
                return at + EVENT_BYTES;
            }
            case COMMAND -> {
                return readCommand(batch, at + 1, end, visitor);
            }
            case TIME -> {
                require(at + 2 <= end);
                byte number = batch.getByte(at + 1);
                visitor.time(Stream.of(Request.values())
                        .filter(request -> request.number == number)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("nothing of time has the number " + number)));
                return at + 2;
            }
            case SCALE -> {
                require(at + SCALE_BYTES <= end);
                visitor.scale(new TimeScale(batch.getLong(at + 1), batch.getLong(at + 9)));
                return at + SCALE_BYTES;
            }
            case HASHES -> {
                require(at + HASHES_BYTES <= end);
                long firstTick = batch.getLong(at + 2);
                int ticks = batch.getShort(at + 10);
                require(firstTick > 0
                        && ticks > 0
                        && firstTick <= Long.MAX_VALUE - ticks
                        && at + HASHES_BYTES + Long.BYTES * ticks <= end);
                for (int i = 0; i < ticks; i++) {
                    visitor.hash(
                            batch.getByte(at + 1), firstTick + i, batch.getLong(at + HASHES_BYTES + Long.BYTES * i));
                }
                return at + HASHES_BYTES + Long.BYTES * ticks;
            }
            case GROUPS -> {
                require(at + HASHES_BYTES <= end);
                int groups = batch.getShort(at + 10);
                int hashesAt = at + HASHES_BYTES;
                require(batch.getLong(at + 2) > 0 && groups >= 0 && hashesAt + Integer.BYTES * groups <= end);
                visitor.groups(batch.getByte(at + 1), batch.getLong(at + 2), batch, hashesAt, groups);
                return hashesAt + Integer.BYTES * groups;
            }
            case RUN -> {
                byte[] words = readBytes(batch, at + 1, end);
                visitor.run(new String(words, StandardCharsets.UTF_8));
                return at + 5 + words.length;
            }
            default -> throw new IllegalArgumentException("a batch of inputs has an entry of kind " + what);
        }
    }

    private static int readCommand(DirectBuffer batch, int at, int end, Visitor visitor) {
        int nameBytes = batch.getShort(at);
        require(nameBytes >= 0 && at + 10 + nameBytes <= end);
        byte[] name = new byte[nameBytes];
        batch.getBytes(at + 2, name);
        int versionAt = at + 2 + nameBytes;
        byte[] bytes = readBytes(batch, versionAt + 4, end);
        visitor.command(new CommandData(
                new CommandName(new String(name, StandardCharsets.UTF_8), batch.getInt(versionAt)), bytes));
        return versionAt + 8 + bytes.length;
    }

    private static byte[] readBytes(DirectBuffer batch, int at, int end) {
        require(at + 4 <= end);
        int length = batch.getInt(at);
        require(length >= 0 && length <= end - at - 4);
        byte[] bytes = new byte[length];
        batch.getBytes(at + 4, bytes);
        return bytes;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("a batch of inputs is damaged");
        }
    }
}
