package dev.escapement.state.wire.udp;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One side of the protocol, driven by a loop or a simulation. Instants are those of one clock, and never go back.
 *
 * <pre>{@code
 * long nextNanos = endpoint.run(nowNanos);      // at nextNanos at the latest, and after packets
 * endpoint.packet(received, from, nowNanos);
 * }</pre>
 *
 * <p>One thread, except for {@link #traffic()}.
 *
 * @see ServerEndpoint
 * @see ClientEndpoint
 * @see GroupSender
 * @see GroupListener
 */
public abstract sealed class Endpoint permits ServerEndpoint, ClientEndpoint, GroupSender, GroupListener {

    /** So many packets at most are sent to one address before others are taken. */
    static final int PACKETS_PER_RUN = 64;

    static final byte[] NO_COOKIE = {};

    final byte[] name;
    final Access access;
    final Traffic traffic = new Traffic();

    /** What is sent next. */
    final ByteBuffer out = ByteBuffer.allocate(Protocol.MOST_BYTES);

    private final PacketSink sink;

    Endpoint(String world, Access access, PacketSink sink) {
        name = Protocol.name(world);
        this.access = access;
        this.sink = sink;
    }

    /**
     * Takes a packet from the network. Never throws because of what the packet has.
     *
     * @param packet   any bytes, backed by an array, from its position to its limit; changed
     * @param from     who sent it
     * @param nowNanos the clock now
     */
    public final void packet(ByteBuffer packet, SocketAddress from, long nowNanos) {
        traffic.add(Traffic.Count.PACKETS_IN);
        traffic.add(Traffic.Count.BYTES_IN, packet.remaining());
        boolean possible = packet.hasRemaining() && packet.remaining() <= Protocol.MOST_BYTES;
        Traffic.Count wrong = possible ? read(packet, from, nowNanos) : Traffic.Count.MALFORMED;
        if (wrong != null) {
            traffic.add(wrong);
        }
    }

    /** Reads a packet of at least a byte. Null if it was right, or needs no other count. */
    abstract Traffic.@Nullable Count read(ByteBuffer packet, SocketAddress from, long nowNanos);

    /**
     * Does what is due.
     *
     * @param nowNanos the clock now
     * @return when to call this again at the latest
     */
    public abstract long run(long nowNanos);

    /**
     * Says good-bye. Nothing may be called afterwards.
     *
     * @param nowNanos the clock now
     */
    public abstract void close(long nowNanos);

    /**
     * What was counted. Any thread may ask.
     *
     * @return the same object always
     */
    public final Traffic traffic() {
        return traffic;
    }

    /** Sends what was written. */
    final void send(@Nullable PacketSeal seal, SocketAddress to) {
        out.flip();
        if (seal != null) {
            seal.seal(out);
        }
        traffic.add(Traffic.Count.PACKETS_OUT);
        traffic.add(Traffic.Count.BYTES_OUT, out.remaining());
        sink.send(out, to);
    }

    /** The earlier of two instants. */
    static long earlier(long aNanos, long bNanos) {
        return aNanos - bNanos < 0 ? aNanos : bNanos;
    }
}
