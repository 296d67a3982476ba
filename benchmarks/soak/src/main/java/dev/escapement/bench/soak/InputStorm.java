package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Failing;
import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.ledger.InputLedger.RingCounts;
import dev.escapement.bench.stress.ledger.NumberedProducer;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Threads that offer numbered input, by a rate that changes, and keys as a player does. */
final class InputStorm implements Failing {

    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int WAKES_PER_SECOND = 1_000;
    private static final int FIRST_KEY = 32;
    private static final int KEYS = 60;
    private static final int MIN_CAPACITY = 1 << 12;

    private final InputRing ring;
    private final LifePlan plan;
    private final InputLedger ledger;
    private final Worker workers;
    private final LongAdder offered = new LongAdder();
    private final LongAdder keysTaken = new LongAdder();
    private final LongAdder keysRefused = new LongAdder();

    InputStorm(PhysicsService physics, LifePlan plan, InputLedger ledger) {
        ring = physics.input();
        this.plan = plan;
        this.ledger = ledger;
        workers = Worker.start(plan.producers(), "storm-input", this::offer);
    }

    /** Room for the events of about two ticks, so that a storm of them is refused now and then. */
    static int capacity(LifePlan plan) {
        int wanted = Math.max(MIN_CAPACITY, plan.inputsPerSecond() / 50);
        return Integer.highestOneBit(2 * wanted - 1);
    }

    private void offer(Worker self, int index) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 100 + index);
        NumberedProducer producer = ledger.producer(index);
        double perWake = (double) plan.inputsPerSecond() / plan.producers() / WAKES_PER_SECOND;
        double owed = 0;
        double speed = 1;
        for (long wake = 0; self.isRunning(); wake++) {
            if (wake % WAKES_PER_SECOND == 0) {
                speed = random.nextDouble(2);
            }
            owed += perWake * speed;
            for (; owed >= 1; owed--) {
                producer.offer(ring);
                offered.increment();
            }
            if (index == 0 && random.nextInt(20) == 0) {
                InputKind kind = random.nextBoolean() ? InputKind.KEY_DOWN : InputKind.KEY_UP;
                boolean taken = ring.offer(System.nanoTime(), kind, FIRST_KEY + random.nextInt(KEYS), 0, 0);
                (taken ? keysTaken : keysRefused).increment();
            }
            Polling.pass(WAKE_NANOS);
        }
    }

    /** How many numbered events were offered so far. Any thread. */
    long offered() {
        return offered.sum();
    }

    /** The counts of the ring without the keys, of a service that has ended. */
    RingCounts counts(PhysicsService closed) {
        RingCounts all = RingCounts.of(closed);
        return new RingCounts(all.accepted() - keysTaken.sum(), all.rejected() - keysRefused.sum(), all.pending());
    }

    @Override
    public Optional<Throwable> failure() {
        return workers.failure();
    }

    @Override
    public void close() {
        workers.close();
    }
}
