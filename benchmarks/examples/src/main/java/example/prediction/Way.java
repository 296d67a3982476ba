package example.prediction;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One direction of a simulated network, 60 ms on average. It loses packets, and some overtake others. */
final class Way<T> {

    private static final double LOST = 0.02;
    private static final long LEAST_NANOS = 50_000_000;
    static final long MOST_NANOS = 70_000_000;

    private record Packet<T>(long arrivesNanos, T content) {}

    private final SplittableRandom random;
    private final PriorityQueue<Packet<T>> underway =
            new PriorityQueue<>(Comparator.comparingLong(Packet::arrivesNanos));

    Way(SplittableRandom random) {
        this.random = random;
    }

    void send(long nowNanos, T content) {
        if (random.nextDouble() >= LOST) {
            underway.add(new Packet<>(nowNanos + random.nextLong(LEAST_NANOS, MOST_NANOS), content));
        }
    }

    void receive(long nowNanos, Consumer<T> receiver) {
        while (!underway.isEmpty() && underway.element().arrivesNanos <= nowNanos) {
            receiver.accept(underway.remove().content);
        }
    }
}
