package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.CommandLedger;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What threads ask of a service: commands, another speed of time, to go back. Each on a thread of its own. */
final class CommandStorm {

    static final int DATA_LANE = 0;
    private static final int LAMBDA_LANE = 1;
    static final int LANES = 2;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int THROWS_EVERY = 20;
    private static final int STRESSES_EVERY = 4;

    /** A request takes effect within a look of the service; the ticks around it have other lengths. */
    private static final int SETTLING_TICKS = 4;

    /** Thrown by commands on purpose. */
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;

        Planned() {
            super("a command of the storm throws", null, false, false);
        }
    }

    private final PhysicsService physics;
    private final LifePlan plan;
    private final RunWatch watch;
    private final RowCheck rows;
    private final CommandLedger ledger;
    private final List<Worker> workers = new ArrayList<>();

    CommandStorm(
            PhysicsService physics,
            LifePlan plan,
            StressedSimulation world,
            RunWatch watch,
            RowCheck rows,
            CommandLedger ledger,
            @Nullable StateHistory history) {
        this.physics = physics;
        this.rows = rows;
        this.plan = plan;
        this.watch = watch;
        this.ledger = ledger;
        boolean has = plan.has(StormPart.COMMANDS) || (plan.has(StormPart.BODIES) && world.stressesItself());
        if (has) {
            workers.add(Worker.start("storm-commands", this::command));
        }
        if (plan.has(StormPart.TIME)) {
            workers.add(Worker.start("storm-time", this::changeTime));
        }
        if (history != null) {
            workers.add(Worker.start("storm-rewinds", self -> goBack(self, history)));
        }
    }

    private void command(Worker self) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 2);
        for (long number = 0; self.isRunning(); number++) {
            boolean isData = plan.repeats() || !plan.has(StormPart.COMMANDS) || random.nextBoolean();
            if (isData) {
                boolean stresses = plan.has(StormPart.BODIES) && random.nextInt(STRESSES_EVERY) == 0;
                long seed = stresses ? random.nextLong() | 1 : 0;
                ledger.follow(
                        DATA_LANE,
                        number,
                        physics.command(StressedSimulation.ACT, new StressedSimulation.Act(number, seed)));
            } else {
                lambda(number, random.nextInt(THROWS_EVERY) == 0);
            }
            if (random.nextInt(THROWS_EVERY) == 0) {
                var unused = physics.query(tick -> {
                    watch.disturb();
                    return true;
                });
            }
            long pauseNanos = pauseNanos(plan, physics.rate());
            if (pauseNanos < SECOND_NANOS) {
                Polling.pass(pauseNanos);
            } else {
                Polling.await(pauseNanos, () -> !self.isRunning());
            }
        }
    }

    /** How long to wait for the next command. What a tick allocates itself is not known if one runs before it: most are to have none. */
    static long pauseNanos(LifePlan plan, TickRate rate) {
        return Math.max(SECOND_NANOS / plan.commandsPerSecond(), plan.keepsPast() ? 0 : 3 * rate.nanosAt(1));
    }

    private void lambda(long number, boolean isThrown) {
        ledger.follow(LAMBDA_LANE, number, physics.command(tick -> {
            watch.disturb();
            if (isThrown) {
                throw new Planned();
            }
            return ledger.run(LAMBDA_LANE, number, tick);
        }));
    }

    private void changeTime(Worker self) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 3);
        while (self.isRunning()) {
            Polling.await(random.nextLong(SECOND_NANOS / 2, 3 * SECOND_NANOS), () -> !self.isRunning());
            rows.changes();
            switch (random.nextInt(3)) {
                case 0 -> pause(self, random);
                case 1 -> physics.timeScale(new TimeScale(1 + random.nextInt(8), 4));
                default -> physics.timeScale(TimeScale.ONE);
            }
            settle(self::isRunning);
        }
        rows.changes();
        physics.timeScale(TimeScale.ONE);
        physics.resume();
    }

    private void pause(Worker self, SplittableRandom random) {
        physics.pause();
        for (int steps = random.nextInt(5); steps > 0 && self.isRunning(); steps--) {
            Polling.pass(random.nextLong(SECOND_NANOS / 20));
            physics.step();
        }
        Polling.pass(random.nextLong(SECOND_NANOS / 4));
        physics.resume();
    }

    /** Declares that time runs evenly, once ticks have followed the change: however long they take. Not if this is to end before. */
    void settle(BooleanSupplier isRunning) {
        long from = physics.lastTick() + SETTLING_TICKS;
        while (physics.lastTick() < from) {
            if (!isRunning.getAsBoolean()) {
                return;
            }
            Polling.pass(LOOK_NANOS);
        }
        TimeScale speed = physics.timeScale();
        rows.even(physics.lastTick() + 1, physics.rate().nanosAt(1) * speed.denominator() / speed.numerator());
    }

    private void goBack(Worker self, StateHistory history) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 4);
        while (self.isRunning()) {
            Polling.await(random.nextLong(SECOND_NANOS / 2, 3 * SECOND_NANOS), () -> !self.isRunning());
            int ticks = backTicks(random, physics.rate());
            var answered = physics.query(tick -> {
                watch.disturb();
                return tick;
            });
            var unused = answered.thenCompose(now -> history.rewind(Math.max(0, now.value() - ticks)));
        }
    }

    /** Draws by how many ticks a world goes back: by no more than its history keeps. */
    static int backTicks(SplittableRandom random, TickRate rate) {
        return 1 + random.nextInt((int) Math.max(1, rate.tickAt(Life.HISTORY.toNanos())));
    }

    /** The threads that ask. */
    List<Worker> workers() {
        return workers;
    }
}
