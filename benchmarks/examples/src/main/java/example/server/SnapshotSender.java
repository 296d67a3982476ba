package example.server;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Sends the newest snapshot to all clients, twenty times a second, on a thread of its own. */
final class SnapshotSender implements AutoCloseable {

    private static final long PERIOD_MILLIS = 50;

    private final SnapshotReader reader;
    private final DatagramChannel channel;
    private final Set<SocketAddress> clients;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(Packets.MOST_BYTES);
    private final AtomicLong sent = new AtomicLong();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "snapshot-sender"));
    private final Future<?> sending;

    SnapshotSender(SnapshotReader reader, DatagramChannel channel, Set<SocketAddress> clients) {
        this.reader = reader;
        this.channel = channel;
        this.clients = clients;
        sending = thread.scheduleAtFixedRate(this::sendNewest, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void sendNewest() {
        if (!reader.acquire()) {
            return; // nothing new: before the third tick, or while simulated time stands still
        }
        Snapshot newest = reader.window().newest();
        int slot = 0;
        do {
            slot = Packets.putBodies(newest, slot, packet);
            sendToAll();
        } while (slot < newest.poses().slotCount());
    }

    private void sendToAll() {
        for (SocketAddress client : clients) {
            try {
                channel.send(packet.rewind(), client);
                sent.incrementAndGet();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot send to " + client, e);
            }
        }
    }

    /** Any thread. */
    long sent() {
        return sent.get();
    }

    /** Why it has stopped before it was told to, empty if it has not. Any thread. */
    Optional<Throwable> failure() {
        if (!sending.isDone() || sending.isCancelled()) {
            return Optional.empty();
        }
        try {
            sending.get();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.ofNullable(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError("it is done, nobody waits", e);
        }
    }

    /** The thread that has read gives the reader back. */
    @Override
    public void close() {
        sending.cancel(false);
        if (!thread.isShutdown()) {
            thread.execute(reader::close);
            thread.shutdown();
        }
    }
}
