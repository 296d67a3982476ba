package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.InputLedger.Findings;
import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.stress.scenario.NumberedProducer.Gate;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

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

    /** So many ticks may pass until nothing waits any more; what still does is counted as pending. */
    private static final int MOST_LOOKS = 100;

    private static final long ANSWER_SECONDS = 10;

    /**
     * A flood that is over.
     *
     * @param capacity how many events the ring holds
     * @param seconds  from the start of simulated time to the last producer's end
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
    public Result run(LongConsumer progress) throws InterruptedException {
        InputLedger ledger = new InputLedger(producers, RATE.nanosAt(1));
        long errsByNanos = fault == InputFault.MISPLACE ? 1 : 0;
        PhysicsService physics = PhysicsService.builder(
                        new PredictableWorld(0, tick -> ledger.arrive(tick.input(), tick.dueNanos() + errsByNanos)))
                .rate(RATE)
                .inputCapacity(capacity)
                .build();
        long[] tookNanos = new long[producers];
        try (physics) {
            physics.start();
            Worker workers =
                    Worker.start(producers, "flood", (self, i) -> tookNanos[i] = offerAll(i, ledger, physics, self));
            try (workers) {
                boolean ended;
                do {
                    ended = Polling.await(LOOK_NANOS, workers::hasEnded);
                    progress.accept(physics.input().accepted() + physics.input().rejected());
                } while (!ended);
            }
            awaitNothingPending(physics);
        }
        physics.failure().ifPresent(cause -> {
            throw new IllegalStateException("the flooded service failed: " + cause, cause);
        });
        double seconds = Arrays.stream(tookNanos).max().orElse(0) / 1e9;
        RingCounts counts = RingCounts.of(physics);
        return new Result(capacity, seconds, ledger, physics.givenUpTicks(), counts, ledger.findings(counts));
    }

    private long offerAll(int index, InputLedger ledger, PhysicsService physics, Worker self) {
        // Producers that spin would take the cores from the thread they are to flood.
        Pacer pacer = new Pacer(NanoClock.system(), Waiting.system(), Pacing.PARK_ONLY);
        return offerAll(
                        ledger.producer(index),
                        share(perSecond, index),
                        share(offers, index),
                        physics.startedAtNanos(),
                        fault.gateTo(physics.input()),
                        NanoClock.system(),
                        nanos -> pacer.awaitUntil(nanos) && self.goesOn())
                - physics.startedAtNanos();
    }

    private long share(long all, int index) {
        return all / producers + (index < all % producers ? 1 : 0);
    }

    /**
     * Wakes a thousand times a second and offers what is due by then, each event stamped when it is offered: so its stamps never fall.
     * Returns when it had offered everything.
     *
     * @param awaitUntil waits until an instant, and tells whether to go on
     */
    static long offerAll(
            NumberedProducer producer,
            long perSecond,
            long offers,
            long originNanos,
            Gate gate,
            NanoClock clock,
            LongPredicate awaitUntil) {
        while (producer.offered < offers && awaitUntil.test(clock.nanoTime() + WAKE_NANOS)) {
            long nanos = clock.nanoTime() - originNanos;
            long due = nanos / NANOS_PER_SECOND * perSecond + nanos % NANOS_PER_SECOND * perSecond / NANOS_PER_SECOND;
            while (producer.offered < Math.min(offers, due)) {
                producer.offer(clock.nanoTime(), gate);
            }
        }
        return clock.nanoTime();
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
