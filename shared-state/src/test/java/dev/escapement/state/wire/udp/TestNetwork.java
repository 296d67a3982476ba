package dev.escapement.state.wire.udp;

import dev.escapement.state.time.ManualClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A network on virtual time that loses, repeats and reorders packets as a seed says. All clocks show the same. */
final class TestNetwork {

    static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    final ManualClock clock = new ManualClock(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(7)); // wraps
    final SplittableRandom random;

    /** All that was sent, also what was lost. */
    final List<Sent> sent = new ArrayList<>();

    double lost;
    double repeated;
    long leastNanos = MILLI;
    long mostNanos = MILLI;

    private final Map<SocketAddress, Endpoint> endpoints = new LinkedHashMap<>();
    private final Map<SocketAddress, SocketAddress> moved = new LinkedHashMap<>();
    private final Map<Endpoint, Long> nextNanos = new LinkedHashMap<>();
    private final PriorityQueue<Delivery> deliveries =
            new PriorityQueue<>(Comparator.<Delivery>comparingLong(delivery -> delivery.atNanos - startNanos())
                    .thenComparingLong(delivery -> delivery.order));
    private final long startNanos = clock.nanoTime();
    private long order;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Sent(byte[] bytes, SocketAddress from, SocketAddress to) {}

    private record Delivery(long atNanos, long order, Sent packet) {}

    TestNetwork(long seed) {
        random = new SplittableRandom(seed);
    }

    private long startNanos() {
        return startNanos;
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
            for (int copies = random.nextDouble() < repeated ? 2 : 1; copies > 0; copies--) {
                if (random.nextDouble() >= lost) {
                    deliverIn(random.nextLong(leastNanos, mostNanos + 1), one);
                }
            }
        };
    }

    void deliverIn(long nanos, Sent packet) {
        deliveries.add(new Delivery(clock.nanoTime() + nanos, order++, packet));
    }

    void add(SocketAddress at, Endpoint endpoint) {
        endpoints.put(at, endpoint);
        nextNanos.put(endpoint, clock.nanoTime());
    }

    /** What is sent there is lost from now on, and what is there stops. */
    void remove(SocketAddress at) {
        nextNanos.remove(endpoints.remove(at));
    }

    /** Gives an endpoint another address, as when a machine gets another route. */
    void move(SocketAddress from, SocketAddress to) {
        moved.replaceAll((first, now) -> now.equals(from) ? to : now);
        moved.put(from, to);
        endpoints.put(to, endpoints.remove(from));
    }

    void run(long millis) {
        long endNanos = clock.nanoTime() + millis * MILLI;
        while (true) {
            long dueNanos = endNanos;
            Endpoint due = null;
            for (Map.Entry<Endpoint, Long> next : nextNanos.entrySet()) {
                if (next.getValue() - dueNanos < 0) {
                    dueNanos = next.getValue();
                    due = next.getKey();
                }
            }
            Delivery delivery = deliveries.peek();
            if (delivery != null && delivery.atNanos - dueNanos < 0) {
                advance(delivery.atNanos);
                deliver(deliveries.remove().packet);
            } else if (due != null) {
                advance(dueNanos);
                nextNanos.put(due, due.run(clock.nanoTime()));
            } else {
                advance(endNanos);
                return;
            }
        }
    }

    private void deliver(Sent packet) {
        Endpoint to = endpoints.get(packet.to);
        if (to != null) {
            to.packet(ByteBuffer.wrap(packet.bytes.clone()), packet.from, clock.nanoTime());
            nextNanos.put(to, to.run(clock.nanoTime()));
        }
    }

    private void advance(long toNanos) {
        clock.advance(Math.max(0, toNanos - clock.nanoTime()));
    }
}
