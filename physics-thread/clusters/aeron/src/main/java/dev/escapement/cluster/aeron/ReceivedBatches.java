package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.StateBuffer;
import java.util.LinkedHashMap;
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
    static final int MOST_COMMAND_BYTES = 1 << 22;

    private static final int COMMAND_OVERHEAD_BYTES = 100;

    /** How many clients are known. One that was silent while so many others were not is taken for a new one. */
    private static final int MOST_CLIENTS = 1 << 14;

    private static final int NO_ROOM_AT = 2 * Long.BYTES;
    private static final int BITS_AT = NO_ROOM_AT + 1;
    static final int ANSWER_BYTES = BITS_AT + InputBatch.MOST_COMMANDS / Byte.SIZE;

    /** The last batch of a client, and by bit i whether there was no room for the commands of the i-th before it. */
    private record Last(long number, long noRoom) {}

    private static final Last NONE = new Last(0, 0);

    private final Predicate<CommandName> handled;

    /** By client, the one first that was silent for longest. */
    private final Map<Long, Last> clients = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Last> eldest) {
            return size() > MOST_CLIENTS;
        }
    };

    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[ANSWER_BYTES]);
    private long batchBytes;
    private long waitingBytes;

    ReceivedBatches(Predicate<CommandName> handled) {
        this.handled = handled;
    }

    /** Looks at the next batch: how large its commands are, and which are not handled. */
    void look(InputBatch.Received batch) {
        int commands = 0;
        batchBytes = 0;
        answer.setMemory(0, ANSWER_BYTES, (byte) 0);
        answer.putLong(0, batch.client());
        answer.putLong(Long.BYTES, batch.number());
        for (InputBatch.Entry entry : batch.entries()) {
            if (entry instanceof InputBatch.Command command) {
                if (handled.test(command.data().type())) {
                    batchBytes += command.data().bytes().length + COMMAND_OVERHEAD_BYTES;
                } else {
                    int at = BITS_AT + commands / Byte.SIZE;
                    answer.putByte(at, (byte) (answer.getByte(at) | 1 << commands % Byte.SIZE));
                }
                commands++;
            }
        }
    }

    private Last last() {
        return clients.getOrDefault(answer.getLong(0), NONE);
    }

    /** Whether the batch that it has looked at is the next of its client, and not one that was here, or comes too early. */
    boolean isNext() {
        return answer.getLong(Long.BYTES) == last().number + 1;
    }

    /** Takes the batch that it has looked at; false if there is no room for its commands. */
    boolean take() {
        boolean room = waitingBytes + batchBytes <= MOST_COMMAND_BYTES;
        waitingBytes += room ? batchBytes : 0;
        clients.put(answer.getLong(0), new Last(answer.getLong(Long.BYTES), last().noRoom << 1 | (room ? 0 : 1)));
        return room;
    }

    /** What its client is to be told of the batch that it has looked at; null if nothing. */
    @Nullable
    DirectBuffer answer() {
        Last last = last();
        long before = last.number - answer.getLong(Long.BYTES);
        answer.putByte(NO_ROOM_AT, (byte) (last.noRoom >> before & 1));
        return before < 0 || before >= ClusterClient.MOST_KEPT ? null : answer;
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
                : "no more commands can wait for the next tick than " + MOST_COMMAND_BYTES
                        + " bytes; offer fewer while time stands still";
    }
}
