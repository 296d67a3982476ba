package dev.escapement.state.wire.udp;

import dev.escapement.state.wire.SnapshotSender;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * Sends a world to a multicast group: once for all who listen. It takes no packets. Nothing is answered, so there is no session: the seal is
 * that of the world. Knows no socket and no thread.
 *
 * <p>One thread, except for {@link #count}.
 *
 * @see UdpLoop#broadcast
 */
public final class GroupSender extends Endpoint {

    private static final long IDLE_NANOS = 100_000_000;

    private final SnapshotSender sender;
    private final SnapshotSender.Broadcast broadcast;
    private final SocketAddress group;
    private final PacketSeal seal;

    /**
     * Creates the sending side.
     *
     * @param sender     where snapshots come from; closed with this
     * @param group      where packets go
     * @param world      the name of the world; with a key, listeners must know it
     * @param access     seals packets if it has a key
     * @param beginNanos the clock now: packets are numbered from it on, so that listeners take those of a sender that was started again
     * @param sink       takes the packets
     * @throws IllegalArgumentException if the name has more than 200 bytes of UTF-8
     */
    public GroupSender(
            SnapshotSender sender,
            SocketAddress group,
            String world,
            Access access,
            long beginNanos,
            BiConsumer<ByteBuffer, SocketAddress> sink) {
        super(world, access, sink);
        this.sender = sender;
        this.group = group;
        broadcast = sender.newBroadcast();
        seal = PacketSeal.ofServer(access.key, name, Math.max(0, beginNanos));
    }

    @Override
    Traffic read(ByteBuffer packet, SocketAddress from, long nowNanos) {
        return Traffic.STRANGE;
    }

    @Override
    public long run(long nowNanos) {
        long nextNanos = sender.run(nowNanos);
        for (int i = 0; i < PACKETS_PER_RUN; i++) {
            if (!broadcast.write(out.clear().limit(Protocol.MOST_PLAIN_BYTES), nowNanos)) {
                return earlier(nextNanos, nowNanos + IDLE_NANOS);
            }
            send(seal, group);
        }
        return nowNanos;
    }

    @Override
    public void close(long nowNanos) {
        sender.close();
    }
}
