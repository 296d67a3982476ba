package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Which batches of each client are in the log, which of their commands are refused, and the answers to the clients. A batch that comes
 * again gets the same answer again. All nodes come to the same result.
 *
 * <p>A command is refused if too many bytes of commands wait for the next tick, or if the simulation has no handler for it. It then runs on
 * no node.
 *
 * <pre>
 *   answer   client, long | number of the batch, long
 *            number of the client as a sender: 0 if it is none, -1 if no further one may join, int
 *            1 if there was no room for its commands, byte
 *            for each command a bit: 1 if it has no handler
 * </pre>
 *
 * <p>One thread, that of the log.
 */
final class ReceivedBatches {

    /** At most this many bytes of commands wait for a tick. */
    static final int MAX_COMMAND_BYTES = 1 << 22;

    private static final int COMMAND_OVERHEAD_BYTES = 100;

    /** At most this many clients are remembered; the one that was silent for longest is forgotten, and counts as new later. */
    private static final int MAX_CLIENTS = 1 << 14;

    private static final int SENDER_AT = 2 * Long.BYTES;
    private static final int NO_ROOM_AT = SENDER_AT + Integer.BYTES;
    private static final int BITS_AT = NO_ROOM_AT + 1;
    static final int ANSWER_BYTES = BITS_AT + InputBatch.MAX_COMMANDS / Byte.SIZE;

    /** The last batch of a client; bit i says whether there was no room for the commands of the i-th batch before it. */
    private record Last(long number, long noRoom) {}

    private static final Last NONE = new Last(0, 0);

    private final Predicate<CommandName> handled;

    /** By client, in the order of their last batches. */
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

    /** Whether a batch is the next of its client. False if it comes again, or too early. */
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

    /** The answer to the client of a batch, which is this sender; null if it gets none. */
    @Nullable
    DirectBuffer answer(InputBatch.Received batch, int sender) {
        Last last = last(batch);
        long before = last.number - batch.number();
        if (before < 0 || before >= ClusterClient.MAX_KEPT) {
            return null;
        }
        answer.setMemory(0, ANSWER_BYTES, (byte) 0);
        answer.putLong(0, batch.client());
        answer.putLong(Long.BYTES, batch.number());
        answer.putInt(SENDER_AT, sender);
        answer.putByte(NO_ROOM_AT, (byte) (last.noRoom >> before & 1));
        List<CommandData> commands = batch.commands();
        for (int i = 0; i < commands.size(); i++) {
            int at = BITS_AT + i / Byte.SIZE;
            int bit = handled.test(commands.get(i).type()) ? 0 : 1 << i % Byte.SIZE;
            answer.putByte(at, (byte) (answer.getByte(at) | bit));
        }
        return answer;
    }

    /** Called at each cut: the tick takes all waiting commands. */
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

    /** The number of the client as a sender, as {@link JoinedClients#number}. The client's thread. */
    static int sender(DirectBuffer answer, int offset) {
        return answer.getInt(offset + SENDER_AT);
    }

    /** The reason why a command of the batch is refused; null if it runs. */
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
