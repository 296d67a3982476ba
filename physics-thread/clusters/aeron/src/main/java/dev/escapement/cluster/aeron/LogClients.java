package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which batches of clients count, which of their commands are refused, and which clients are senders of input. It depends on the
 * log alone, so all nodes make the same decisions.
 *
 * <p><b>Batches.</b> A repeated batch is acknowledged again, and otherwise ignored. A batch that comes before its predecessor is ignored.
 *
 * <p><b>Commands.</b> A command is refused if too many bytes of commands wait for the next tick, or if the simulation has no handler for
 * it. It then runs on no node.
 *
 * <p><b>Senders.</b> A client joins or leaves when its batch says so. It also leaves when the log has had no batch of it for {@value
 * #SILENCE_SECONDS} s. So a client that reconnects after the death of a leader stays the same sender. A client that has left, and comes
 * back, gets another number.
 *
 * <p>Only the thread that reads the log uses it.
 */
final class LogClients {

    /** Maximum number of bytes of commands that wait for a tick. */
    static final int MAX_COMMAND_BYTES = 1 << 22;

    private static final int COMMAND_OVERHEAD_BYTES = 100;

    /**
     * Maximum number of remembered clients. Beyond that, the longest silent client that is no sender is forgotten; if it comes back, it is
     * a new client.
     */
    static final int MAX_CLIENTS = 1 << 14;

    private static final int SILENCE_SECONDS = 5;
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(SILENCE_SECONDS);

    private static final class Client {
        long lastNumber;

        /**
         * Bit i stands for the batch that came i batches before the client's last one. It is set if there was no room for that batch's
         * commands.
         */
        long noRoom;

        /** The client's number as a sender; 0 if it is none. */
        int sender;

        long leavesNanos;
    }

    private final Predicate<CommandName> handled;

    /** The clients by their numbers. The order is that of their last batches, so the client that was silent for longest comes first. */
    private final Map<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

    /** The clients that are senders, in the order in which they have joined. */
    private final List<Client> senders = new ArrayList<>();

    private final UnsafeBuffer acknowledgement = new UnsafeBuffer(new byte[Batch.Acknowledgement.BYTES]);
    private int lastSender;
    private long commandBytes;

    LogClients(Predicate<CommandName> handled) {
        this.handled = handled;
    }

    /** Whether a batch is the next one of its client. False for a repeated batch, or one that comes before its predecessor. */
    boolean isNext(Batch batch) {
        Client client = clients.get(batch.clientId());
        return batch.number() == (client == null ? 0 : client.lastNumber) + 1;
    }

    /** Takes the next batch of a client. Returns whether there is room for its commands. */
    boolean take(Batch batch, long nowNanos) {
        long bytes = batch.commands().stream()
                .filter(command -> handled.test(command.type()))
                .mapToLong(command -> command.bytes().length + COMMAND_OVERHEAD_BYTES)
                .sum();
        boolean hasRoom = commandBytes + bytes <= MAX_COMMAND_BYTES;
        commandBytes += hasRoom ? bytes : 0;
        Client client = clients.computeIfAbsent(batch.clientId(), added -> new Client());
        client.lastNumber = batch.number();
        client.noRoom = client.noRoom << 1 | (hasRoom ? 0 : 1);
        client.leavesNanos = batch.role() == Batch.LEAVES ? nowNanos : nowNanos + SILENCE_NANOS;
        if (batch.role() == Batch.JOINS && client.sender == 0 && senders.size() < InputFrame.MAX_SENDERS) {
            client.sender = ++lastSender;
            senders.add(client);
        }
        forgetEldest();
        return hasRoom;
    }

    /**
     * Forgets the longest silent clients beyond {@link #MAX_CLIENTS}. {@link #restore} must not call it, or the restored node would know
     * fewer clients than the node that saved them.
     */
    private void forgetEldest() {
        for (Iterator<Client> eldest = clients.values().iterator(); clients.size() > MAX_CLIENTS; ) {
            if (eldest.next().sender == 0) {
                eldest.remove();
            }
        }
    }

    /** Returns the number of a client as a sender; 0 if it is none. */
    int sender(long clientId) {
        Client client = clients.get(clientId);
        return client == null ? 0 : client.sender;
    }

    /**
     * Removes the senders whose time to leave has come, and returns them with these times. Call it when the input of a tick ends, because a
     * leave is input of that tick.
     */
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

    /** Returns the acknowledgement for the client of a batch; null if the client gets none. */
    @Nullable
    DirectBuffer acknowledge(Batch batch) {
        Client client = clients.get(batch.clientId());
        long before = client == null ? -1 : client.lastNumber - batch.number();
        if (client == null || before < 0 || before >= ClusterSender.MAX_KEPT) {
            return null;
        }
        boolean hadRoom = (client.noRoom >> before & 1) == 0;
        Batch.Acknowledgement.write(acknowledgement, batch, client.sender, hadRoom, handled);
        return acknowledgement;
    }

    /** Sets the bytes of waiting commands to 0. Call it when the input of a tick ends, because the tick takes all waiting commands. */
    void cut() {
        commandBytes = 0;
    }

    void save(StateBuffer to) {
        to.put(commandBytes).put((long) lastSender).put((long) clients.size());
        clients.forEach((clientId, client) -> to.put(clientId)
                .put(client.lastNumber)
                .put(client.noRoom)
                .put((long) client.sender)
                .put(client.leavesNanos));
    }

    void restore(StateBuffer from) {
        commandBytes = from.getLong();
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
}
