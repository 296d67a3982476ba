package dev.escapement.bench.stress;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.Pushable;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.stress.Scenario.Extent;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A world goes back at random, in two ways, beside one that never does and has the right input at once. After every tick with the right
 * input, both have the same hash; a difference names its seed, its world and its tick. Half of the worlds are springs and half Jolt; half
 * save every tick and half every fourth. The planted fault: a step depends on a number that is not saved.
 */
final class Rollbacks {

    /** The maximum number of ticks from one rollback to the next, and that a rollback goes back. */
    private static final int AHEAD = 13;

    private static final int KEPT = 20;
    private static final int PUSHES = 2;
    private static final int BODIES = 12;
    private static final int ROLLBACKS_A_WORLD = 250;

    private final Trial trial;
    private final Extent extent;
    private final Check same;
    private long done;

    /** Hashes of the world that does not go back, by tick modulo the length. */
    private final long[] expected = new long[64];

    private Rollbacks(Trial trial, Extent extent) {
        this.trial = trial;
        this.extent = extent;
        same = trial.check(Promise.SAME_AFTER_ROLLBACK);
    }

    static void run(Trial trial, Extent extent) {
        Rollbacks rollbacks = new Rollbacks(trial, extent);
        for (long world = 0; rollbacks.done < extent.count() && !trial.isFound(); world++) {
            rollbacks.run(
                    world % 2 == 0 ? Engine.SPRING : Engine.JOLT,
                    world % 4 < 2 ? 1 : 4,
                    (extent.seed() << Integer.SIZE) + world);
        }
    }

    private void run(Engine engine, int every, long seed) {
        StateHistory history = StateHistory.ofTicks(KEPT + 1).every(every);
        SplittableRandom random = new SplittableRandom(seed);
        long brokenBefore = same.broken();
        try (SeededWorld straight = new SeededWorld(simulation(engine), PUSHES, builder -> builder);
                SeededWorld world = new SeededWorld(simulation(engine), PUSHES, builder -> builder.with(history))) {
            for (int left = ROLLBACKS_A_WORLD;
                    left > 0 && done < extent.count() && same.broken() == brokenBefore;
                    left--) {
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
                    same.broken(what + ": " + thrown);
                }
                extent.progress().accept(++done);
            }
        }
    }

    /** Runs ticks up to one, and compares each. */
    private void compare(SeededWorld world, long seed, long to, String what) {
        while (world.tick() < to) {
            world.run(seed, world.tick() + 1);
            same.that(
                    world.hash() == expected[(int) world.tick() % expected.length],
                    () -> what + ": first differs in tick " + world.tick());
        }
    }

    private Simulation simulation(Engine engine) {
        Simulation simulation = engine == Engine.JOLT ? engine.pile(BODIES) : engine.simulation(BODIES);
        return trial.isPlanted(Promise.SAME_AFTER_ROLLBACK) ? new Forgetful(simulation) : simulation;
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
