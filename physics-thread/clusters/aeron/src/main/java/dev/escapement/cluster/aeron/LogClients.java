package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the cluster: which of their batches are in the log, which of their commands are refused, which of them are senders of
 * input, and the answers to them. It depends on the log alone, so it is the same on all nodes.
 *
 * <p><b>Batches.</b> A batch that comes again gets the same answer again, and is otherwise ignored; so is one that comes too early.
 *
 * <p><b>Commands.</b> A command is refused if too many bytes of commands wait for the next tick, or if the simulation has no handler for
 * it. It then runs on no node.
 *
 * <p><b>Senders.</b> A client joins when a batch of it says so. It leaves when a batch says so, or when the log has had no batch of it for
 * {@value #SILENCE_SECONDS} s. So a client that connects again after the death of a leader stays the same sender. One that has left, and
 * comes back, gets another number.
 *
 * <pre>
 *   answer   number of the batch, long | number of the client as a sender: 0 if it is none, int
 *            1 if there was no room for its commands, byte
 *            for each command a bit: 1 if it has no handler
 * </pre>
 *
 * <p>One thread, that of the log.
 */
final class LogClients {

    /** At most this many bytes of commands wait for a tick. */
    static final int MAX_COMMAND_BYTES = 1 << 22;

    /** At most this many clients are senders at a time: an input frame has no room for more. */
    static final int MAX_SENDERS = InputFrame.MAX_SENDERS;

    private static final int COMMAND_OVERHEAD_BYTES = 100;

    /** At most this many clients are remembered; the one that was silent for longest is forgotten, and counts as new later. */
    private static final int MAX_CLIENTS = 1 << 14;

    private static final int SILENCE_SECONDS = 5;
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(SILENCE_SECONDS);
    private static final int SENDER_AT = Long.BYTES;
    private static final int NO_ROOM_AT = SENDER_AT + Integer.BYTES;
    private static final int BITS_AT = NO_ROOM_AT + 1;
    static final int ANSWER_BYTES = BITS_AT + InputBatch.MAX_COMMANDS / Byte.SIZE;

    private static final class Client {
        long lastNumber;

        /** Bit i says whether there was no room for the commands of the i-th batch before the last. */
        long noRoom;

        /** 0 if it is no sender. */
        int sender;

        long leavesNanos;
    }

    private final Predicate<CommandName> handled;

    /** By number, in the order of their last batches. */
    private final Map<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Client> eldest) {
            return size() > MAX_CLIENTS && eldest.getValue().sender == 0;
        }
    };

    /** Those that are senders, in the order in which they have joined. */
    private final List<Client> senders = new ArrayList<>();

    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[ANSWER_BYTES]);
    private int lastSender;
    private long waitingBytes;

    LogClients(Predicate<CommandName> handled) {
        this.handled = handled;
    }

    /** Whether a batch is the next of its client. False if it comes again, or too early. */
    boolean isNext(InputBatch.Received batch) {
        Client client = clients.get(batch.client());
        return batch.number() == (client == null ? 0 : client.lastNumber) + 1;
    }

    /** Takes the next batch of a client; false if there is no room for its commands. */
    boolean take(InputBatch.Received batch, long nowNanos) {
        long bytes = batch.commands().stream()
                .filter(command -> handled.test(command.type()))
                .mapToLong(command -> command.bytes().length + COMMAND_OVERHEAD_BYTES)
                .sum();
        boolean room = waitingBytes + bytes <= MAX_COMMAND_BYTES;
        waitingBytes += room ? bytes : 0;
        Client client = clients.computeIfAbsent(batch.client(), added -> new Client());
        client.lastNumber = batch.number();
        client.noRoom = client.noRoom << 1 | (room ? 0 : 1);
        client.leavesNanos = batch.role() == InputBatch.LEAVES ? nowNanos : nowNanos + SILENCE_NANOS;
        if (batch.role() == InputBatch.JOINS && client.sender == 0 && senders.size() < MAX_SENDERS) {
            client.sender = ++lastSender;
            senders.add(client);
        }
        return room;
    }

    /** The number of a client as a sender; 0 if it is none. */
    int sender(long of) {
        Client client = clients.get(of);
        return client == null ? 0 : client.sender;
    }

    /** Takes out the senders that leave by now, and returns when and who. Called at each cut: that they left is input of a tick. */
    List<TickRing.Left> leave(long nowNanos) {
        List<TickRing.Left> left = new ArrayList<>();
        senders.removeIf(client -> {
            boolean leaves = client.leavesNanos <= nowNanos;
            if (leaves) {
                left.add(new TickRing.Left(client.leavesNanos, client.sender));
                client.sender = 0;
            }
            return leaves;
        });
        return left;
    }

    /** The answer to the client of a batch; null if it gets none. */
    @Nullable
    DirectBuffer answer(InputBatch.Received batch) {
        Client client = clients.get(batch.client());
        long before = client == null ? -1 : client.lastNumber - batch.number();
        if (client == null || before < 0 || before >= ClusterClient.MAX_KEPT) {
            return null;
        }
        answer.setMemory(0, ANSWER_BYTES, (byte) 0);
        answer.putLong(0, batch.number());
        answer.putInt(SENDER_AT, client.sender);
        answer.putByte(NO_ROOM_AT, (byte) (client.noRoom >> before & 1));
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
        to.put(waitingBytes).put((long) lastSender).put((long) clients.size());
        clients.forEach((number, client) -> to.put(number)
                .put(client.lastNumber)
                .put(client.noRoom)
                .put((long) client.sender)
                .put(client.leavesNanos));
    }

    void restore(StateBuffer from) {
        waitingBytes = from.getLong();
        lastSender = (int) from.getLong();
        for (long left = from.getLong(); left > 0; left--) {
            Client client = new Client();
            clients.put(from.getLong(), client);
            client.lastNumber = from.getLong();
            client.noRoom = from.getLong();
            client.sender = (int) from.getLong();
            client.leavesNanos = from.getLong();
            if (client.sender != 0) {
                senders.add(client);
            }
        }
        senders.sort(Comparator.comparingInt(client -> client.sender));
    }

    /** The number of the batch. The client's thread. */
    static long number(DirectBuffer answer, int offset) {
        return answer.getLong(offset);
    }

    /** The number of the client as a sender, as {@link #sender(long)}. The client's thread. */
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
