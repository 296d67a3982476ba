package dev.escapement.bench.stress;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.Pushable;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code escapement stress rollbacks}: a world goes back at random, in two ways, beside one that never does and has the right input at
 * once. After every tick with the right input, both have the same hash. Half of the worlds are springs and half Jolt; half save every tick
 * and half every fourth. The planted fault: a step depends on a number that is not saved.
 */
@Command(
        name = "rollbacks",
        description = {
            "Lets worlds of Jolt and of springs go back at random, and compares each tick with a world that did not.",
            "Exit code: 0 all states were equal, 1 one differed, 2 the input was bad."
        })
final class Rollbacks extends ConsoleCommand {

    /** The maximum number of ticks from one rollback to the next, and that a rollback goes back. */
    private static final int AHEAD = 13;

    private static final int KEPT = 20;
    private static final int PUSHES = 2;
    private static final int BODIES = 12;
    private static final int ROLLBACKS_A_WORLD = 250;

    @Option(names = "--count", paramLabel = "N", defaultValue = "2000", description = "Number of rollbacks.")
    private int rollbacks;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the random choices.")
    private int seed;

    /** The rollbacks of a trial. */
    private static final class Run {
        private final Trial trial;
        private final long count;
        private final LongConsumer progress;
        private long done;

        /** Hashes of the world that does not go back, by tick modulo the length. */
        private final long[] expected = new long[64];

        private Run(Trial trial, long count, LongConsumer progress) {
            this.trial = trial;
            this.count = count;
            this.progress = progress;
        }

        private void run(long seed) {
            for (long world = 0; done < count && !trial.isFound(); world++) {
                run(
                        world % 2 == 0 ? Engine.SPRING : Engine.JOLT,
                        world % 4 < 2 ? 1 : 4,
                        (seed << Integer.SIZE) + world);
            }
        }

        private void run(Engine engine, int every, long seed) {
            StateHistory history = StateHistory.ofTicks(KEPT + 1).every(every);
            SplittableRandom random = new SplittableRandom(seed);
            long brokenBefore = broken();
            try (SeededWorld straight = new SeededWorld(simulation(engine), PUSHES, builder -> builder);
                    SeededWorld world = new SeededWorld(simulation(engine), PUSHES, builder -> builder.with(history))) {
                for (int left = ROLLBACKS_A_WORLD; left > 0 && done < count && broken() == brokenBefore; left--) {
                    long now = world.tick() + 1 + random.nextInt(AHEAD);
                    while (straight.tick() <= now) { // one more, which a fork lets the world run
                        straight.run(seed, straight.tick() + 1);
                        expected[(int) straight.tick() % expected.length] = straight.hash();
                    }
                    long back = random.nextLong(Math.max(0, now - KEPT), now);
                    boolean isFork = random.nextBoolean(); // else the run goes back, and its ticks get other input
                    String what = String.format(
                            Locale.ROOT,
                            "%s, every %d, world %d, %s after tick %d",
                            engine,
                            every,
                            seed,
                            isFork ? "fork" : "late input",
                            back);
                    try {
                        compare(world, seed, isFork ? now : Math.max(world.tick(), back), what);
                        if (isFork) { // another run begins in the past
                            try (SeededWorld fork = world.fork(history, seed, back, simulation(engine))) {
                                compare(fork, seed, world.tick(), what);
                            }
                        } else {
                            world.run(~seed, now); // the ticks before late input
                            world.goBack(history, back);
                            compare(world, seed, now, what);
                        }
                    } catch (RuntimeException thrown) { // the library found the difference, or has a fault
                        trial.check(Promise.SAME_AFTER_ROLLBACK).broken(what + ": " + thrown);
                    }
                    progress.accept(++done);
                }
            }
        }

        /** Runs ticks up to one, and compares each. */
        private void compare(SeededWorld world, long seed, long to, String what) {
            while (world.tick() < to) {
                world.run(seed, world.tick() + 1);
                boolean same = world.hash() == expected[(int) world.tick() % expected.length];
                trial.check(Promise.SAME_AFTER_ROLLBACK)
                        .that(same, () -> what + ": first differs in tick " + world.tick());
            }
        }

        private long broken() {
            return trial.check(Promise.SAME_AFTER_ROLLBACK).broken();
        }

        private Simulation simulation(Engine engine) {
            Simulation simulation = engine == Engine.JOLT ? engine.pile(BODIES) : engine.simulation(BODIES);
            return trial.isPlanted(Promise.SAME_AFTER_ROLLBACK) ? new Forgetful(simulation) : simulation;
        }
    }

    @Override
    public Integer call() {
        check("--count", rollbacks, 1, 10_000_000);
        StressReport found;
        try (ProgressBar progress = ProgressLine.of("rollbacks", rollbacks, "")) {
            found = scenario(seed, rollbacks, progress::stepTo).run(null);
        }
        say(found.text());
        return found.heldInFull() ? 0 : 1;
    }

    /** The scenario of a number of rollbacks; a difference names its seed, its world and its tick. */
    static Scenario scenario(long seed, long count, LongConsumer progress) {
        return new Scenario(
                "rollbacks",
                seed,
                Set.of(Promise.SAME_AFTER_ROLLBACK),
                trial -> new Run(trial, count, progress).run(seed));
    }

    /** Pushes a body by a number that is not saved: how often it was stepped. */
    private static final class Forgetful extends ForwardingSimulation {

        private int steps;

        Forgetful(Simulation simulation) {
            super(simulation);
        }

        @Override
        public void step(Tick tick) throws Exception {
            super.step(tick);
            ((Pushable) simulation).push(0, 1e-3 * steps++, 0, 0);
        }
    }
}
