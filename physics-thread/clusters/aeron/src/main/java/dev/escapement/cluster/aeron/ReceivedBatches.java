package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.StateBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Which batches of each client are in the log, which of their commands are refused, and what the client is told of that. A batch that comes
 * again gets the same answer again. All nodes come to the same.
 *
 * <p>A command is refused if too many bytes of commands wait for the next tick, or if the simulation has no handler for it. It then runs on no
 * node.
 *
 * <pre>
 *   answer   client, long | number of the batch, long | 1 if there was no room for its commands, byte | by command, a bit: whether it has no handler
 * </pre>
 *
 * <p>The thread of the log.
 */
final class ReceivedBatches {

    /** How many bytes of commands wait for a tick at most. */
    static final int MAX_COMMAND_BYTES = 1 << 22;

    private static final int COMMAND_OVERHEAD_BYTES = 100;

    /** How many clients are known. One that was silent while this many others were not is taken for a new one. */
    private static final int MAX_CLIENTS = 1 << 14;

    private static final int NO_ROOM_AT = 2 * Long.BYTES;
    private static final int BITS_AT = NO_ROOM_AT + 1;
    static final int ANSWER_BYTES = BITS_AT + InputBatch.MAX_COMMANDS / Byte.SIZE;

    /** The last batch of a client, and by bit i whether there was no room for the commands of the i-th before it. */
    private record Last(long number, long noRoom) {}

    private static final Last NONE = new Last(0, 0);

    private final Predicate<CommandName> handled;

    /** By client, the one first that was silent for longest. */
    private final Map<Long, Last> clients = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Last> eldest) {
            return size() > MAX_CLIENTS;
        }
    };

    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[ANSWER_BYTES]);
    private long waitingBytes;

    ReceivedBatches(Predicate<CommandName> handled) {
        this.handled = handled;
    }

    private Last last(InputBatch.Received batch) {
        return clients.getOrDefault(batch.client(), NONE);
    }

    /** Whether a batch is the next of its client, and not one that was here, or comes too early. */
    boolean isNext(InputBatch.Received batch) {
        return batch.number() == last(batch).number + 1;
    }

    /** Takes the next batch of a client; false if there is no room for its commands. */
    boolean take(InputBatch.Received batch) {
        long bytes = batch.commands().stream()
                .filter(command -> handled.test(command.type()))
                .mapToLong(command -> command.bytes().length + COMMAND_OVERHEAD_BYTES)
                .sum();
        boolean room = waitingBytes + bytes <= MAX_COMMAND_BYTES;
        waitingBytes += room ? bytes : 0;
        clients.put(batch.client(), new Last(batch.number(), last(batch).noRoom << 1 | (room ? 0 : 1)));
        return room;
    }

    /** What the client of a batch is to be told; null if nothing. */
    @Nullable
    DirectBuffer answer(InputBatch.Received batch) {
        Last last = last(batch);
        long before = last.number - batch.number();
        if (before < 0 || before >= ClusterClient.MAX_KEPT) {
            return null;
        }
        answer.setMemory(0, ANSWER_BYTES, (byte) 0);
        answer.putLong(0, batch.client());
        answer.putLong(Long.BYTES, batch.number());
        answer.putByte(NO_ROOM_AT, (byte) (last.noRoom >> before & 1));
        List<CommandData> commands = batch.commands();
        for (int i = 0; i < commands.size(); i++) {
            int at = BITS_AT + i / Byte.SIZE;
            int bit = handled.test(commands.get(i).type()) ? 0 : 1 << i % Byte.SIZE;
            answer.putByte(at, (byte) (answer.getByte(at) | bit));
        }
        return answer;
    }

    /** A tick takes all commands. */
    void cut() {
        waitingBytes = 0;
    }

    void save(StateBuffer to) {
        to.put(waitingBytes).put((long) clients.size());
        clients.forEach((client, last) -> to.put(client).put(last.number).put(last.noRoom));
    }

    void restore(StateBuffer from) {
        waitingBytes = from.getLong();
        for (long left = from.getLong(); left > 0; left--) {
            clients.put(from.getLong(), new Last(from.getLong(), from.getLong()));
        }
    }

    /** Whether an answer is for a client. The client's thread. */
    static boolean isFor(long client, DirectBuffer answer, int offset, int length) {
        return length == ANSWER_BYTES && answer.getLong(offset) == client;
    }

    static long number(DirectBuffer answer, int offset) {
        return answer.getLong(offset + Long.BYTES);
    }

    /** Why a command of the batch runs on no node; null if it does. */
    static @Nullable String refusal(DirectBuffer answer, int offset, int command, CommandName type) {
        int bits = answer.getByte(offset + BITS_AT + command / Byte.SIZE);
        return refusal((bits >> command % Byte.SIZE & 1) == 0, answer.getByte(offset + NO_ROOM_AT) == 0, type);
    }

    static @Nullable String refusal(boolean isHandled, boolean room, CommandName type) {
        if (!isHandled) {
            return "the simulation of the cluster has no handler for commands of type " + type
                    + "; add one with commands().on(...) on all nodes";
        }
        return room
                ? null
                : "no more commands can wait for the next tick than " + MAX_COMMAND_BYTES
                        + " bytes; offer fewer while time stands still";
    }
}
