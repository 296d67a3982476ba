package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.ledger.InputLedger.RingCounts;
import dev.escapement.bench.stress.ledger.NumberedProducer;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Threads that offer numbered input, by a rate that changes, and keys as a player does. */
final class InputStorm {

    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int WAKES_PER_SPEED = 1_000;

    /** A thread that had no core for longer does not offer what it has missed before. */
    private static final long MAX_AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

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
        double perNano = (double) plan.inputsPerSecond() / plan.producers() / TimeUnit.SECONDS.toNanos(1);
        long lastNanos = System.nanoTime();
        double owed = 0;
        double speed = 1;
        for (long wake = 0; self.isRunning(); wake++) {
            if (wake % WAKES_PER_SPEED == 0) {
                speed = random.nextDouble(2);
            }
            long nowNanos = System.nanoTime();
            owed += Math.min(MAX_AWAY_NANOS, nowNanos - lastNanos) * perNano * speed;
            lastNanos = nowNanos;
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

    /** The threads that offer. */
    Worker workers() {
        return workers;
    }
}
