package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.CommandData;
import dev.escapement.state.time.TickRate;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Sends commands and queries from one thread. Some commands let the world stress itself, and some throw. Checks that each runs once and in
 * order, and is answered.
 */
final class CommandStorm extends StormThreads {

    private static final int DATA_LANE = 0;
    private static final int LAMBDA_LANE = 1;
    private static final int LANES = 2;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int COMMANDS_PER_STRESS = 4;
    private static final int RARE = 20;

    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;

        Planned() {
            super("a command of the storm throws", null, false, false);
        }
    }

    private final CommandLedger commands;

    CommandStorm(Life life) {
        super(life, 1);
        commands = new CommandLedger(life.trial, LANES, Planned.class::isInstance);
    }

    @Override
    public void command(long tick, Object command) {
        if (command instanceof CommandData data && data.type().name().equals(StressedSimulation.NAME)) {
            try {
                StressedSimulation.Act act =
                        StressedSimulation.Act.read(new DataInputStream(new ByteArrayInputStream(data.bytes())));
                commands.run(act.lane(), act.number(), tick);
            } catch (IOException e) {
                throw new UncheckedIOException(e); // cannot happen, because reading from an array does not fail
            }
        }
    }

    @Override
    public boolean isThrough() {
        return commands.areAllAnswered();
    }

    @Override
    public void check() {
        commands.checkAnswers();
        // The service was closed only after all commands were answered, so none may be left.
        commands.checkNoneWasLeft(life.physics().refusedCommands());
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        PhysicsService physics = life.physics();
        for (long number = 0; self.isRunning(); number++) {
            if (life.plan.repeats() || random.nextBoolean()) {
                boolean stresses = random.nextInt(COMMANDS_PER_STRESS) == 0;
                act(number, stresses ? random.nextLong() | 1 : 0);
            } else {
                lambda(number, random.nextInt(RARE) == 0);
            }
            if (random.nextInt(RARE) == 0) {
                var unused = physics.query(tick -> {
                    life.allocations.disturb();
                    return true;
                });
            }
            self.pause(pauseNanos(life.plan, physics.rate()));
        }
    }

    private void act(long number, long seed) {
        StressedSimulation.Act act = new StressedSimulation.Act(DATA_LANE, number, seed);
        commands.follow(DATA_LANE, number, life.physics().command(StressedSimulation.ACT, act));
    }

    /**
     * Returns the pause before the next command. If the life counts the allocations of ticks, there are at least three ticks per command,
     * because a tick with a command does not count.
     */
    static long pauseNanos(LifePlan plan, TickRate rate) {
        return Math.max(SECOND_NANOS / plan.commandsPerSecond(), plan.keepsPast() ? 0 : 3 * rate.nanosAt(1));
    }

    private void lambda(long number, boolean isThrown) {
        commands.follow(LAMBDA_LANE, number, life.physics().command(tick -> {
            if (isThrown) {
                throw new Planned();
            }
            return commands.run(LAMBDA_LANE, number, tick);
        }));
    }
}
