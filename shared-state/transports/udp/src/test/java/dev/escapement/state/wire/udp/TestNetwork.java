package dev.escapement.state.wire.udp;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.network.WireWay;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Endpoints and the network between them. All clocks show the same. */
final class TestNetwork {

    static final long MILLI = WireWay.MILLI;

    private static final long START_NANOS = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(7); // wraps

    private final VirtualTime time = new VirtualTime();
    final NanoClock clock = () -> START_NANOS + time.nanos;
    final SplittableRandom random;

    /** All that was sent, also what was lost. */
    final List<Sent> sent = new ArrayList<>();

    double lost;
    double repeated;

    /** Also lost. */
    Predicate<Sent> loses = packet -> false;

    /** Longer packets are lost. */
    int maxBytes = Integer.MAX_VALUE;

    long leastNanos = MILLI;
    long maxNanos = MILLI;

    private final WireWay way;
    private final Map<SocketAddress, Host> hosts = new LinkedHashMap<>();
    private final Map<SocketAddress, SocketAddress> moved = new LinkedHashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Sent(byte[] bytes, SocketAddress from, SocketAddress to) {}

    /** Where an endpoint runs. */
    private static final class Host extends WireHost {

        Host(VirtualTime time, Endpoint endpoint) {
            super(time, START_NANOS + time.nanos, 0);
            this.endpoint = endpoint;
        }
    }

    TestNetwork(long seed) {
        random = new SplittableRandom(seed);
        way = new WireWay(time, random.split());
    }

    static SocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** What an endpoint at an address sends by. */
    BiConsumer<ByteBuffer, SocketAddress> sink(SocketAddress from) {
        return (packet, to) -> {
            byte[] bytes = new byte[packet.remaining()];
            packet.get(bytes);
            Sent one = new Sent(bytes, moved.getOrDefault(from, from), to);
            sent.add(one);
            way.lost = bytes.length > maxBytes || loses.test(one) ? 1 : lost;
            way.burst = 1;
            way.repeated = repeated;
            way.leastNanos = leastNanos;
            way.jitterNanos = maxNanos - leastNanos;
            way.send(ByteBuffer.wrap(bytes), arrived -> deliver(arrived, one));
        };
    }

    void deliverIn(long nanos, Sent packet) {
        time.after(nanos, () -> deliver(ByteBuffer.wrap(packet.bytes.clone()), packet));
    }

    private void deliver(ByteBuffer arrived, Sent packet) {
        Host host = hosts.get(packet.to);
        if (host != null) {
            host.receive(arrived, packet.from);
        }
    }

    void add(SocketAddress at, Endpoint endpoint) {
        Host host = new Host(time, endpoint);
        hosts.put(at, host);
        time.after(0, () -> host.whenRunning(host::wake));
    }

    /** What is sent to an address is lost from now on, and its program stops. */
    void remove(SocketAddress at) {
        Host host = hosts.remove(at);
        if (host != null) {
            host.crash();
        }
    }

    /** Gives an endpoint another address, as when a machine gets another route. */
    void move(SocketAddress from, SocketAddress to) {
        moved.replaceAll((first, now) -> now.equals(from) ? to : now);
        moved.put(from, to);
        hosts.put(to, hosts.remove(from));
    }

    void moveIn(long nanos, SocketAddress from, SocketAddress to) {
        time.after(nanos, () -> move(from, to));
    }

    void run(long millis) {
        pass(millis * MILLI);
    }

    /** What is due at the end is still to come. */
    void pass(long nanos) {
        long endNanos = time.nanos + nanos;
        time.runUntil(endNanos - 1);
        time.nanos = endNanos;
    }
}
