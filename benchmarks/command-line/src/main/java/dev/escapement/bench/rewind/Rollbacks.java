package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A world goes back at random, in three ways, beside one that never does and has the right input from the start: after every tick that had
 * the right input, both must have the same hash.
 */
final class Rollbacks {

    /** The run goes back, and its ticks get other input; or another run begins in the past. */
    private enum Way {
        INPUT_WAS_LATE,
        FORKED
    }

    /** A world goes on for {@value} ticks at most, and then back by {@link #KEPT} at most. */
    private static final int AHEAD = 13;

    private static final int KEPT = 20;
    private static final int PUSHES = 2;

    /** Makes worlds, each the same for the same engine. */
    private final Function<Engine, Simulation> worlds;

    /** How many hashes were compared, and how many differed. */
    final Check hashes = new Check();

    /** How often a world has gone back. */
    int count;

    /** Hashes of the world that does not go back, by tick modulo the length. */
    private final long[] expected = new long[64];

    Rollbacks(Function<Engine, Simulation> worlds) {
        this.worlds = worlds;
    }

    /** Goes back so often. Half of the worlds are springs, and half Jolt; half save every tick, and half every fourth. */
    void search(long seed, int wanted, Runnable progress) {
        for (long trial = 0; count < wanted; trial++) {
            Engine engine = trial % 2 == 0 ? Engine.SPRING : Engine.JOLT;
            search(engine, trial % 4 < 2 ? 1 : 4, (seed << Integer.SIZE) + trial, wanted, progress);
        }
    }

    private void search(Engine engine, int every, long seed, int wanted, Runnable progress) {
        StateHistory history = StateHistory.ofTicks(KEPT + 1).every(every);
        SplittableRandom random = new SplittableRandom(seed);
        long brokenBefore = hashes.broken();
        try (SeededWorld straight = new SeededWorld(worlds.apply(engine), PUSHES, builder -> builder);
                SeededWorld world = new SeededWorld(worlds.apply(engine), PUSHES, builder -> builder.with(history))) {
            for (int left = 250; left > 0 && count < wanted && hashes.broken() == brokenBefore; left--) {
                long now = world.tick + 1 + random.nextInt(AHEAD);
                while (straight.tick <= now) { // one more, which a fork lets the world run
                    straight.run(seed, straight.tick + 1);
                    expected[(int) straight.tick % expected.length] = straight.simulation.hash();
                }
                long back = random.nextLong(Math.max(0, now - KEPT), now);
                Way way = Way.values()[random.nextInt(Way.values().length)];
                String what = String.format("%s, every %d, world %d, %s after tick %d", engine, every, seed, way, back);
                try {
                    compare(world, seed, way == Way.INPUT_WAS_LATE ? Math.max(world.tick, back) : now, what);
                    if (way == Way.FORKED) {
                        try (SeededWorld fork = world.fork(history, seed, back, worlds.apply(engine))) {
                            compare(fork, seed, world.tick, what);
                        }
                    } else {
                        world.run(~seed, now); // those before late input
                        world.goBack(history, back);
                        compare(world, seed, now, what);
                    }
                } catch (RuntimeException thrown) { // the library found the difference, or has a fault
                    hashes.broken(what + ": " + thrown);
                }
                count++;
                progress.run();
            }
        }
    }

    /** Runs ticks up to one, and compares each. */
    private void compare(SeededWorld world, long seed, long to, String what) {
        while (world.tick < to) {
            world.run(seed, world.tick + 1);
            boolean same = world.simulation.hash() == expected[(int) world.tick % expected.length];
            hashes.that(same, () -> what + ": first differs in tick " + world.tick);
        }
    }
}
