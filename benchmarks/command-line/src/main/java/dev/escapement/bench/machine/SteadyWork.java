package dev.escapement.bench.machine;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/**
 * A simulation whose step takes a given processor time: it computes a number of rounds, so that time away from the core is not counted as
 * work. One thread at a time.
 */
final class SteadyWork implements Simulation {

    private static final int ROUND = 1000;
    private static final int TRIES = 5000;

    private final long rounds;
    private long state = 1;

    private SteadyWork(long rounds) {
        this.rounds = rounds;
    }

    /** The time of a round on a core of its own, in nanoseconds: the shortest of many. */
    static double measureRoundNanos() {
        SteadyWork one = new SteadyWork(1);
        double shortest = Double.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) { // the first ones are not compiled yet
            long beginNanos = System.nanoTime();
            for (int j = 0; j < 10; j++) {
                one.work();
            }
            shortest = Math.min(shortest, (System.nanoTime() - beginNanos) / 10.0);
        }
        return shortest;
    }

    /** A step that takes so long if each round takes {@code roundNanos}. */
    static SteadyWork of(int stepMicros, double roundNanos) {
        return new SteadyWork(Math.round(1000 * stepMicros / roundNanos));
    }

    /** One step. */
    void work() {
        for (long i = 0; i < rounds; i++) {
            round();
        }
    }

    /** Each value needs the one before, so that no compiler shortens it. */
    private void round() {
        long value = state;
        for (int i = 0; i < ROUND; i++) {
            value = value * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }
        state = value;
    }

    @Override
    public void step(Tick tick) {
        work();
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount((int) (state & 0)); // uses the value
    }
}
