package dev.escapement.state.wire.udp;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.network.VirtualTime;
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

/** Endpoints and a simulated network between them. All clocks show the same time. */
final class TestNetwork {

    static final long MILLI = WireWay.MILLI;

    private static final long START_NANOS = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(7); // the clock wraps after 7 s

    private final VirtualTime time = new VirtualTime();
    final NanoClock clock = () -> START_NANOS + time.nanos;
    final SplittableRandom random;

    final List<Sent> sent = new ArrayList<>();

    double lost;
    double repeated;

    /** Selects packets to lose, in addition to random losses. */
    Predicate<Sent> loses = packet -> false;

    long leastNanos = MILLI;
    long maxNanos = MILLI;

    private final WireWay way;
    private final Map<SocketAddress, Host> hosts = new LinkedHashMap<>();
    private final Map<SocketAddress, SocketAddress> moved = new LinkedHashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // packets are never compared
    record Sent(byte[] bytes, SocketAddress from, SocketAddress to) {}

    private final class Host {

        private final Endpoint endpoint;
        private long wakeNanos;
        private boolean hasEnded;

        Host(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        private void receive(ByteBuffer packet, SocketAddress from) {
            endpoint.packet(packet, from, clock.nanoTime());
            wake();
        }

        private void wake() {
            if (hasEnded) {
                return;
            }
            long nextNanos = endpoint.run(clock.nanoTime()) - clock.nanoTime();
            long dueNanos = time.nanos + 1 + Math.max(0, nextNanos);
            wakeNanos = dueNanos;
            time.at(dueNanos, () -> {
                if (wakeNanos == dueNanos) {
                    wake();
                }
            });
        }
    }

    TestNetwork(long seed) {
        random = new SplittableRandom(seed);
        way = new WireWay(time, random.split());
    }

    static SocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static byte[] bytes(ByteBuffer packet) {
        byte[] bytes = new byte[packet.remaining()];
        packet.duplicate().get(bytes);
        return bytes;
    }

    List<Sent> sent(byte type) {
        return sent.stream().filter(packet -> packet.bytes[0] == type).toList();
    }

    List<Sent> sentTo(SocketAddress at) {
        return sent.stream().filter(packet -> packet.to.equals(at)).toList();
    }

    long bytesFrom(SocketAddress at) {
        return sent.stream()
                .filter(packet -> packet.from.equals(at))
                .mapToLong(packet -> packet.bytes.length)
                .sum();
    }

    /** Returns the sink through which an endpoint at an address sends. */
    BiConsumer<ByteBuffer, SocketAddress> sink(SocketAddress from) {
        return (packet, to) -> {
            byte[] bytes = bytes(packet);
            Sent one = new Sent(bytes, moved.getOrDefault(from, from), to);
            sent.add(one);
            way.lost = loses.test(one) ? 1 : lost;
            way.repeated = repeated;
            way.leastNanos = leastNanos;
            way.jitterNanos = maxNanos - leastNanos;
            way.send(ByteBuffer.wrap(bytes), arrived -> deliver(arrived, one));
        };
    }

    void deliverIn(long nanos, Sent packet) {
        time.at(time.nanos + nanos, () -> deliver(ByteBuffer.wrap(packet.bytes.clone()), packet));
    }

    private void deliver(ByteBuffer arrived, Sent packet) {
        Host host = hosts.get(packet.to);
        if (host != null) {
            host.receive(arrived, packet.from);
        }
    }

    void add(SocketAddress at, Endpoint endpoint) {
        Host host = new Host(endpoint);
        hosts.put(at, host);
        time.at(time.nanos, host::wake);
    }

    /** Stops the program at an address. Packets to it are lost from now on. */
    void remove(SocketAddress at) {
        Host host = hosts.remove(at);
        if (host != null) {
            host.hasEnded = true;
        }
    }

    /** Gives an endpoint another address, as when a machine gets another route. */
    void move(SocketAddress from, SocketAddress to) {
        moved.replaceAll((first, now) -> now.equals(from) ? to : now);
        moved.put(from, to);
        hosts.put(to, hosts.remove(from));
    }

    void moveIn(long nanos, SocketAddress from, SocketAddress to) {
        time.at(time.nanos + nanos, () -> move(from, to));
    }

    void run(long millis) {
        pass(millis * MILLI);
    }

    /** Advances time. Events due exactly at the end have not run yet. */
    void pass(long nanos) {
        long endNanos = time.nanos + nanos;
        time.runUntil(endNanos - 1);
        time.nanos = endNanos;
    }
}
