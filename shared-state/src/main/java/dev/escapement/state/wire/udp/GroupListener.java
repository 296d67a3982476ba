package dev.escapement.state.wire.udp;

import dev.escapement.state.wire.SnapshotReceiver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives a world from a multicast group, and answers nothing. Without a key it believes all programs of this machine. With a key, a
 * listener that has just started can be shown what was sent before, until the first new packet comes. Knows no socket and no thread.
 *
 * <p>One thread, except for {@link #count}.
 *
 * @see UdpLoop#listen
 */
public final class GroupListener extends Endpoint {

    private final SnapshotReceiver receiver;
    private final PacketSeal seal;

    /**
     * Creates the listening side.
     *
     * @param receiver gets the snapshots
     * @param world    the same as the sender's
     * @param access   the same as the sender's
     * @param sink     never asked to send anything
     * @throws IllegalArgumentException if the name has more than 200 bytes of UTF-8
     */
    public GroupListener(
            SnapshotReceiver receiver, String world, Access access, BiConsumer<ByteBuffer, SocketAddress> sink) {
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
