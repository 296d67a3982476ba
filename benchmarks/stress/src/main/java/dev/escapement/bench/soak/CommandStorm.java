package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.CommandLedger;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A thread that gives commands as data, and as lambdas of which some throw; and queries. */
final class CommandStorm extends StormThreads {

    private static final int DATA_LANE = 0;
    private static final int LAMBDA_LANE = 1;
    static final int BODY_LANE = 2;
    static final int LANES = 3;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int RARE = 20;

    /** Thrown by commands on purpose. */
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;

        Planned() {
            super("a command of the storm throws", null, false, false);
        }
    }

    CommandStorm(Life life) {
        super(life, 1);
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        PhysicsService physics = life.physics();
        for (long number = 0; self.isRunning(); number++) {
            if (life.plan.repeats() || random.nextBoolean()) {
                act(life, DATA_LANE, number, 0);
            } else {
                lambda(number, random.nextInt(RARE) == 0);
            }
            if (random.nextInt(RARE) == 0) {
                var unused = physics.query(tick -> {
                    life.allocations.disturb();
                    return true;
                });
            }
            Polling.await(pauseNanos(life.plan, physics.rate()), () -> !self.isRunning());
        }
    }

    /** Gives a command as data. */
    static void act(Life life, int lane, long number, long seed) {
        StressedSimulation.Act act = new StressedSimulation.Act(lane, number, seed);
        life.traffic.commands.follow(lane, number, life.physics().command(StressedSimulation.ACT, act));
    }

    /** Returns how long to wait for the next command. Most ticks of a life that counts what ticks allocate are to have none before them. */
    static long pauseNanos(LifePlan plan, TickRate rate) {
        return Math.max(SECOND_NANOS / plan.commandsPerSecond(), plan.keepsPast() ? 0 : 3 * rate.nanosAt(1));
    }

    private void lambda(long number, boolean isThrown) {
        CommandLedger ledger = life.traffic.commands;
        ledger.follow(LAMBDA_LANE, number, life.physics().command(tick -> {
            life.allocations.disturb();
            if (isThrown) {
                throw new Planned();
            }
            return ledger.run(LAMBDA_LANE, number, tick);
        }));
    }
}
