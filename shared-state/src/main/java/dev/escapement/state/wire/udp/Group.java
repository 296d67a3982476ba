package dev.escapement.state.wire.udp;

import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Both sides of a multicast group. Nothing is answered, so there is no session: the seal is that of the world. */
final class Group {

    private static final long IDLE_NANOS = 100_000_000;

    private Group() {}

    /** Sends a world once for all who listen, and takes no packets. One thread, except for {@link #count}. */
    static final class Sender extends Endpoint {

        private final SnapshotSender sender;
        private final SnapshotSender.Broadcast broadcast;
        private final SocketAddress group;
        private final PacketSeal seal;

        /** Numbers packets from the clock on, so that listeners take those of a sender that was started again. */
        Sender(
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

    /**
     * Receives a world. Without a key it believes all programs of this machine. With a key, one that has just started can be shown what
     * was sent before, until the first new packet comes. One thread, except for {@link #count}.
     */
    static final class Listener extends Endpoint {

        private final SnapshotReceiver receiver;
        private final PacketSeal seal;

        Listener(SnapshotReceiver receiver, String world, Access access, BiConsumer<ByteBuffer, SocketAddress> sink) {
            super(world, access, sink);
            this.receiver = receiver;
            seal = PacketSeal.ofClient(access.key, name, 0);
        }

        @Override
        @Nullable
        Traffic read(ByteBuffer packet, SocketAddress from, long nowNanos) {
            if (!((InetSocketAddress) from).getAddress().isLoopbackAddress()) {
                return Traffic.STRANGE;
            }
            Traffic wrong = seal.open(packet);
            return wrong != null || receiver.packet(packet, nowNanos) ? wrong : Traffic.MALFORMED;
        }

        @Override
        public long run(long nowNanos) {
            return receiver.run(nowNanos);
        }

        @Override
        public void close(long nowNanos) {
            // it has told its sender nothing, so there is no good-bye
        }
    }
}
