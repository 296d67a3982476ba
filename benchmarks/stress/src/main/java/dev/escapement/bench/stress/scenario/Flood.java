package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.InputLedger.Findings;
import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Producers, each on a thread of its own, offer input to a service that ticks at 100 Hz. Every event says where it belongs, each tick
 * checks what it is given, and when all is over, what the producers were told, what the ring counted and what arrived have to add up,
 * event by event ({@link InputLedger}).
 *
 * <p>How fast the producers offer is a figure of the machine: where it is too slow for the rate, the flood takes longer.
 *
 * @param producers how many, 1 to {@link NumberedProducer#PRODUCERS}
 * @param perSecond how many events they offer a second in all, not fewer than there are producers
 * @param offers    how many they offer in all
 * @param capacity  how many events the ring holds, a power of two
 * @param fault     planted on purpose
 */
public record Flood(int producers, long perSecond, long offers, int capacity, InputFault fault) {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A flood that is over.
     *
     * @param capacity how many events the ring holds
     * @param seconds  from the start to the last producer's end
     * @param ledger   what was offered, and what arrived when
     * @param givenUp  ticks that were given up because others took too long
     * @param counts   what the ring counted itself
     * @param findings what was broken
     */
    public record Result(
            int capacity, double seconds, InputLedger ledger, long givenUp, RingCounts counts, Findings findings) {

        /** How many events a second the producers offered, all together. */
        public double offeredPerSecond() {
            return ledger.offered() / seconds;
        }
    }

    /** The capacity that a user would choose for so many events a second: room for two ticks. */
    public static int ampleCapacity(int perSecond) {
        return powerOfTwoFrom(Math.max(1, 2 * perTick(perSecond)));
    }

    /** Room for a tenth of a tick or a little more, so that most of so many events a second is refused. */
    public static int tooSmallCapacity(int perSecond) {
        return powerOfTwoFrom(Math.max(1, perTick(perSecond) / 10));
    }

    private static int perTick(int perSecond) {
        return Math.toIntExact(perSecond / Math.round(RATE.inHertz()));
    }

    private static int powerOfTwoFrom(int least) {
        return Integer.highestOneBit(2 * least - 1);
    }

    /**
     * Returns when all was offered and checked.
     *
     * @param progress told now and then how many events were offered
     */
    public Result run(LongConsumer progress) {
        InputLedger ledger = new InputLedger(producers, RATE.nanosAt(1), () -> fault);
        PhysicsService physics = PhysicsService.builder(new PredictableWorld(0, ledger::arrive))
                .rate(RATE)
                .inputCapacity(capacity)
                .build();
        long startNanos = System.nanoTime();
        double seconds;
        try (physics) {
            physics.start();
            Worker workers = Worker.start(producers, "flood", (self, i) -> offer(ledger.producer(i), i, physics, self));
            try (workers) {
                while (!Polling.await(LOOK_NANOS, workers::hasEnded)) {
                    InputRing ring = physics.input();
                    progress.accept(ring.accepted() + ring.rejected());
                }
                seconds = (System.nanoTime() - startNanos) / 1e9;
            }
            Polling.await(() -> ledger.arrived() >= ledger.accepted()); // what does not arrive is counted as pending
        }
        progress.accept(offers);
        physics.failure().ifPresent(cause -> {
            throw new IllegalStateException("the flooded service failed: " + cause, cause);
        });
        RingCounts counts = RingCounts.of(physics);
        return new Result(capacity, seconds, ledger, physics.givenUpTicks(), counts, ledger.findings(counts));
    }

    /** Wakes a thousand times a second and offers what is due by then, each event stamped when it is offered: so its stamps never fall. */
    private void offer(NumberedProducer producer, int index, PhysicsService physics, Worker self) {
        // Producers that spin would take the cores from the thread they are to flood.
        Pacer pacer = new Pacer(NanoClock.system(), Waiting.system(), Pacing.PARK_ONLY);
        long ownPerSecond = share(perSecond, index);
        long ownOffers = share(offers, index);
        long originNanos = System.nanoTime();
        while (producer.offered < ownOffers && self.goesOn()) {
            pacer.awaitUntil(System.nanoTime() + WAKE_NANOS);
            double seconds = (double) (System.nanoTime() - originNanos) / NANOS_PER_SECOND;
            long due = Math.min(ownOffers, (long) (seconds * ownPerSecond));
            while (producer.offered < due) {
                producer.offer(physics.input());
            }
        }
    }

    private long share(long all, int index) {
        return all / producers + (index < all % producers ? 1 : 0);
    }
}
