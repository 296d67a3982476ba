package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.state.time.TickRate;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Seeks back by a history, from a thread of its own, at most as far as the history reaches. */
final class RewindStorm extends StormThreads {

    private static final Duration HISTORY = Duration.ofSeconds(1);
    private static final long HISTORY_BYTES = 8L << 20;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StateHistory history = StateHistory.of(HISTORY).maxBytes(HISTORY_BYTES);

    private RewindStorm(Life life) {
        super(life, 1);
    }

    static Part of(Life life) {
        if (life.world.capability(Restorable.class).isPresent()) {
            return new RewindStorm(life);
        }
        life.trial.leftOut(StormPart.REWIND, "the world is not Restorable");
        return Part.NONE;
    }

    @Override
    public void join(PhysicsServiceBuilder builder) {
        builder.with(history);
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        while (self.isRunning()) {
            self.pause(random.nextLong(SECOND_NANOS / 2, 3 * SECOND_NANOS));
            int ticks = backTicks(random, life.physics().rate());
            var answered = life.physics().query(tick -> {
                life.allocations.disturb();
                return tick;
            });
            var unused = answered.thenCompose(now -> history.rewind(Math.max(0, now.value() - ticks)));
        }
    }

    static int backTicks(SplittableRandom random, TickRate rate) {
        return 1 + random.nextInt((int) Math.max(1, rate.tickAt(HISTORY.toNanos())));
    }
}
