package dev.escapement.bench.flood;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Producers, each on a thread of its own, offer input to a service that ticks at 100 Hz. Every event says where it belongs
 * ({@link EventTag}); each tick checks what it is given ({@link InputCheck}); and when all is over, what the producers were told,
 * what the ring counted and what arrived have to add up, event by event ({@link Findings}).
 *
 * <p>How fast the producers offer is a figure of the machine: where it is too slow for the rate, the flood takes longer.
 *
 * @param producers how many, 1 to {@link EventTag#PRODUCERS}
 * @param perSecond how many events they offer a second in all, not fewer than there are producers
 * @param offers    how many they offer in all, below {@link EventTag#NUMBERS}
 * @param capacity  how many events the ring holds, a power of two
 * @param plant     a fault planted on purpose
 */
public record Flood(int producers, long perSecond, long offers, int capacity, Plant plant) {

    static final TickRate RATE = TickRate.hertz(100);

    /** So many ticks may pass until nothing waits any more; what still does is counted as pending. */
    private static final int MOST_LOOKS = 100;

    private static final long ANSWER_SECONDS = 10;

    /**
     * Returns when all was offered and checked.
     *
     * @param progress told now and then how many events were offered
     * @return what came of it
     */
    public FloodResult run(LongConsumer progress) throws InterruptedException {
        InputCheck check = new InputCheck(producers, RATE.nanosAt(1));
        PhysicsService physics = PhysicsService.builder(new FloodedSimulation(check, plant == Plant.MISPLACE ? 1 : 0))
                .rate(RATE)
                .inputCapacity(capacity)
                .build();
        List<Producer> all = IntStream.range(0, producers)
                .mapToObj(i -> producer(i, physics))
                .toList();
        try (physics) {
            physics.start();
            try (Crew crew = Crew.start(all, physics.startedAtNanos())) {
                crew.awaitEnd(() -> progress.accept(
                        physics.input().accepted() + physics.input().rejected()));
            }
            awaitNothingPending(physics);
        }
        physics.failure().ifPresent(cause -> {
            throw new IllegalStateException("the flooded service failed: " + cause, cause);
        });
        return FloodResult.of(capacity, physics, all, check);
    }

    private Producer producer(int index, PhysicsService physics) {
        return new Producer(
                index,
                share(perSecond, index),
                share(offers, index),
                plant.gateTo(physics.input()),
                NanoClock.system(),
                Waiting.system());
    }

    private long share(long all, int index) {
        return all / producers + (index < all % producers ? 1 : 0);
    }

    /** Asks between two ticks, where the answer is exact. */
    private static void awaitNothingPending(PhysicsService physics) throws InterruptedException {
        for (int look = 0; look < MOST_LOOKS; look++) {
            try {
                long pending = physics.query(tick -> physics.pendingInputs())
                        .get(ANSWER_SECONDS, TimeUnit.SECONDS)
                        .value();
                if (pending == 0) {
                    return;
                }
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("the flooded service does not answer: " + e, e);
            }
        }
    }
}
