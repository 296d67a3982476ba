package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Offers numbered input events from several threads at a changing rate, and keys as a player does. Checks that each event arrives once and
 * in its order, and that the counts match.
 */
final class InputStorm extends StormThreads {

    private static final int PRODUCERS = 3;

    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int WAKES_PER_SPEED = 1_000;

    /** How far a thread catches up after it had no core. It drops the events of a longer time. */
    private static final long MAX_AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int FIRST_KEY = 32;
    private static final int KEYS = 60;
    private static final int MIN_CAPACITY = 1 << 12;

    private final InputLedger inputs;

    InputStorm(Life life) {
        super(life, PRODUCERS);
        inputs = new InputLedger(PRODUCERS, life.trial::isPlanted);
    }

    /**
     * Returns the capacity of the ring. It has room for the events of about two ticks, so that the ring refuses some events now and then.
     */
    static int capacity(LifePlan plan) {
        int wanted = Math.max(MIN_CAPACITY, plan.inputsPerSecond() / 50);
        return Integer.highestOneBit(2 * wanted - 1);
    }

    @Override
    public void join(PhysicsServiceBuilder builder) {
        builder.pausedInput((event, state) -> inputs.arrive(event));
    }

    @Override
    public void stepping(Tick tick) {
        inputs.arrive(tick);
    }

    @Override
    public boolean isThrough() {
        return inputs.arrived() >= inputs.accepted()
                && (life.world.offersInput() || life.physics().pendingInputs() == 0);
    }

    @Override
    public void check() {
        boolean isAlone = !life.world.offersInput();
        if (!isAlone) {
            life.trial.leftOut(Promise.INPUT_SUMS, "the world offers input of its own, which the ring counts, too");
        }
        // With a UDP client, whose own events the ring counts too, the counts cannot match.
        boolean addsUp = isAlone && !life.plan.parts().contains(StormPart.UDP);
        inputs.check(life.trial, addsUp ? life.physics() : null);
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(index);
        InputRing ring = life.physics().input();
        InputLedger.Producer producer = inputs.producer(index);
        double perNano = (double) life.plan.inputsPerSecond() / PRODUCERS / TimeUnit.SECONDS.toNanos(1);
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
            }
            if (index == 0 && random.nextInt(20) == 0) {
                InputKind kind = random.nextBoolean() ? InputKind.KEY_DOWN : InputKind.KEY_UP;
                producer.offerKey(kind, FIRST_KEY + random.nextInt(KEYS), ring);
            }
            Polling.pass(WAKE_NANOS);
        }
    }
}
