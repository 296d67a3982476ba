package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import java.util.SplittableRandom;

/** A thread that lets the world stress itself, by commands that a log repeats. */
final class BodyStorm extends StormThreads {

    private static final int COMMANDS_PER_STRESS = 4;

    private BodyStorm(Life life) {
        super(life, 1);
    }

    static Part of(Life life) {
        if (life.world.stressesItself()) {
            return new BodyStorm(life);
        }
        life.notes.leftOut(StormPart.BODIES, "the world is no StressedWorld");
        return Part.NONE;
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        long pauseNanos = COMMANDS_PER_STRESS
                * CommandStorm.pauseNanos(life.plan, life.physics().rate());
        for (long number = 0; self.isRunning(); number++) {
            CommandStorm.act(life, CommandStorm.BODY_LANE, number, random.nextLong() | 1); // 0 is none
            Polling.await(pauseNanos, () -> !self.isRunning());
        }
    }
}
