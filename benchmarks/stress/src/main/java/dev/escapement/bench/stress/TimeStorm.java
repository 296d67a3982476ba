package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TimeScale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

final class TimeStorm extends StormThreads {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * How many ticks after a change are not checked. The service looks for requested changes only at intervals, and the ticks around a
     * change have other lengths.
     */
    private static final int SETTLING_TICKS = 4;

    TimeStorm(Life life) {
        super(life, 1);
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        PhysicsService physics = life.physics();
        while (self.isRunning()) {
            self.pause(random.nextLong(SECOND_NANOS / 2, 3 * SECOND_NANOS));
            life.ticks.changes();
            switch (random.nextInt(3)) {
                case 0 -> pause(self, physics, random);
                case 1 -> physics.timeScale(new TimeScale(1 + random.nextInt(8), 4));
                default -> physics.timeScale(TimeScale.ONE);
            }
            settle(physics, life.ticks, self::isRunning);
        }
        life.ticks.changes();
        physics.timeScale(TimeScale.ONE);
        physics.resume();
    }

    private static void pause(Worker self, PhysicsService physics, SplittableRandom random) {
        physics.pause();
        for (int steps = random.nextInt(5); steps > 0 && self.isRunning(); steps--) {
            Polling.pass(random.nextLong(SECOND_NANOS / 20));
            physics.step();
        }
        Polling.pass(random.nextLong(SECOND_NANOS / 4));
        physics.resume();
    }

    /**
     * After a change, waits for enough ticks, and then declares that time runs evenly. Does nothing if {@code isRunning} becomes false
     * before.
     */
    static void settle(PhysicsService physics, TickCheck ticks, BooleanSupplier isRunning) {
        long from = physics.lastPublishedTick() + SETTLING_TICKS;
        while (physics.lastPublishedTick() < from) {
            if (!isRunning.getAsBoolean()) {
                return;
            }
            Polling.pass(LOOK_NANOS);
        }
        TimeScale speed = physics.timeScale();
        ticks.even(
                physics.lastPublishedTick() + 1, physics.rate().nanosAt(1) * speed.denominator() / speed.numerator());
    }
}
