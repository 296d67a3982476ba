package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.measure.Check;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.StateHistory;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A world goes back at random, in three ways, beside one that never does and has the right input from the start: after every tick that had
 * the right input, both must have the same hash.
 *
 * <ul>
 * <li>Input comes late: the ticks since then had another one, and run again from there or from before.
 * <li>Ticks run again with their own input, which the history has kept.
 * <li>Another run begins in the past.
 * </ul>
 */
final class Rollbacks {

    /** A world goes on for {@value} ticks at most, and then back by {@link #KEPT} at most. */
    private static final int AHEAD = 13;

    private static final int KEPT = 20;
    private static final int BODIES = 12;
    private static final int PUSHES = 2;

    private static final String[] WAYS = {"input was late after tick ", "ran again after tick ", "forked after tick "};

    /** In one pair of worlds: then another pair begins. */
    private static final int IN_A_TRIAL = 250;

    /** Makes worlds, each the same for the same engine. */
    private final Function<Engine, Simulation> worlds;

    private final Check hashes = new Check();
    private int count;

    /** Hashes of the world that does not go back, by tick modulo the length. */
    private final long[] expected = new long[64];

    Rollbacks() {
        this(engine -> engine == Engine.JOLT ? engine.pile(BODIES) : engine.simulation(BODIES));
    }

    Rollbacks(Function<Engine, Simulation> worlds) {
        this.worlds = worlds;
    }

    /** How often a world has gone back. */
    int count() {
        return count;
    }

    /** How many hashes were compared, and how many differed. */
    Check hashes() {
        return hashes;
    }

    /** Goes back so often. Half of the worlds are springs, and half Jolt; half save every tick, and half every fourth. */
    void search(long seed, int wanted, Runnable progress) {
        for (long trial = 0; count < wanted; trial++) {
            int rounds = Math.min(IN_A_TRIAL, wanted - count);
            Engine engine = trial % 2 == 0 ? Engine.SPRING : Engine.JOLT;
            search(engine, trial % 4 < 2 ? 1 : 4, (seed << Integer.SIZE) + trial, rounds, progress);
        }
    }

    private void search(Engine engine, int every, long seed, int rounds, Runnable progress) {
        StateHistory history = StateHistory.ofTicks(KEPT + 1).every(every);
        SplittableRandom random = new SplittableRandom(seed);
        long brokenBefore = hashes.broken();
        try (SeededWorld straight = new SeededWorld(worlds.apply(engine), PUSHES, null);
                SeededWorld world = new SeededWorld(worlds.apply(engine), PUSHES, history)) {
            for (int round = 0; round < rounds && hashes.broken() == brokenBefore; round++) {
                long now = world.tick() + 1 + random.nextInt(AHEAD);
                while (straight.tick() <= now) { // one more, which a fork lets the world run
                    straight.run(seed, straight.tick() + 1);
                    expected[(int) straight.tick() % expected.length] = straight.simulation.hash();
                }
                long back = random.nextLong(Math.max(0, now - KEPT), now);
                int way = random.nextInt(WAYS.length);
                String what =
                        engine + ", every " + every + ", world " + seed + ", round " + round + ", " + WAYS[way] + back;
                try {
                    goBack(way, world, seed, now, back, engine, what);
                } catch (RuntimeException thrown) { // the library found the difference, or has a fault
                    hashes.broken(what + ": " + thrown);
                }
                count++;
                progress.run();
            }
        }
    }

    private void goBack(int way, SeededWorld world, long seed, long now, long back, Engine engine, String what) {
        if (way == 0) {
            compare(world, seed, Math.max(world.tick(), back), what);
            world.run(~seed, now);
            world.rewind(back);
            compare(world, seed, now, what);
            return;
        }
        compare(world, seed, now, what);
        if (way == 1) {
            world.rerun(back);
            compare(world, ~seed, now, what);
        } else {
            try (SeededWorld fork = world.fork(seed, back, worlds.apply(engine))) {
                compare(fork, seed, world.tick(), what);
            }
        }
    }

    /** Runs ticks up to one, and compares each. */
    private void compare(SeededWorld world, long seed, long to, String what) {
        while (world.tick() < to) {
            world.run(seed, world.tick() + 1);
            long tick = world.tick();
            boolean same = world.simulation.hash() == expected[(int) tick % expected.length];
            hashes.that(same, () -> what + ": first differs in tick " + tick);
        }
    }
}
