package dev.escapement.state.wire.udp;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One side of the protocol, driven by a loop or a simulation. All instants are of one clock, and never decrease.
 *
 * <pre>{@code
 * long nextNanos = endpoint.run(nowNanos);      // at nextNanos at the latest, and after packets
 * endpoint.packet(received, from, nowNanos);
 * }</pre>
 *
 * <p>One thread, except for {@link #count}.
 *
 * @see ServerEndpoint
 * @see ClientEndpoint
 */
@SuppressWarnings("EnumOrdinal") // the ordinals of the enum index the counts
public abstract sealed class Endpoint permits ServerEndpoint, ClientEndpoint {

    /** The maximum number of packets to one address before the next address has its turn. */
    static final int PACKETS_PER_RUN = 64;

    /** The name of the world, with a length byte before it. */
    final byte[] name;

    final Access access;

    final ByteBuffer out = ByteBuffer.allocate(Protocol.MAX_BYTES);

    private final BiConsumer<ByteBuffer, SocketAddress> sink;
    private final AtomicLongArray counts = new AtomicLongArray(Traffic.values().length);

    Endpoint(String world, Access access, BiConsumer<ByteBuffer, SocketAddress> sink) {
        name = Protocol.name(world);
        this.access = access;
        this.sink = sink;
    }

    /**
     * Takes a packet from the network. Never throws because of its content.
     *
     * @param packet   any bytes, backed by an array, from the position to the limit; the endpoint may change them
     * @param from     the sender's address
     * @param nowNanos the clock now
     */
    public final void packet(ByteBuffer packet, SocketAddress from, long nowNanos) {
        add(Traffic.PACKETS_IN, 1);
        add(Traffic.BYTES_IN, packet.remaining());
        boolean possible = packet.hasRemaining() && packet.remaining() <= Protocol.MAX_BYTES;
        Traffic wrong = possible ? read(packet, from, nowNanos) : Traffic.MALFORMED;
        if (wrong != null) {
            add(wrong, 1);
        }
    }

    /** Reads a packet of at least one byte. Returns the count that its refusal increases; null if it was accepted. */
    abstract @Nullable Traffic read(ByteBuffer packet, SocketAddress from, long nowNanos);

    /**
     * Performs all due work.
     *
     * @param nowNanos the clock now
     * @return when to call this again at the latest
     */
    public abstract long run(long nowNanos);

    /**
     * Sends BYE to the other side. Nothing may be called afterwards.
     *
     * @param nowNanos the clock now
     */
    public abstract void close(long nowNanos);

    /**
     * {@return a count since the start} Any thread.
     *
     * @param what the kind of count
     */
    public final long count(Traffic what) {
        return counts.getOpaque(what.ordinal());
    }

    final void add(Traffic what, long number) {
        counts.setOpaque(what.ordinal(), count(what) + number); // one thread writes; a count orders nothing
    }

    final void send(@Nullable PacketSeal seal, SocketAddress to) {
        out.flip();
        if (seal != null) {
            seal.seal(out);
        }
        add(Traffic.PACKETS_OUT, 1);
        add(Traffic.BYTES_OUT, out.remaining());
        sink.accept(out, to);
    }

    static long earlier(long aNanos, long bNanos) {
        return aNanos - bNanos < 0 ? aNanos : bNanos;
    }
}
