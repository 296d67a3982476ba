package dev.escapement.bench.demo;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.state.capture.BlockFiller;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Bodies on circles around a common axis, each with the same side towards it, as a moon has. Nothing acts between
 * them, so that a million bodies cost little: for what the handoff costs in large worlds.
 *
 * <p>Block by block, in passes that C2 turns into vector code, straight into the snapshot. Pure Java, allocates nothing per tick, and the
 * same bits on every machine: only + - * run per tick.
 */
public final class OrbitSimulation implements Simulation {

    private static final double NEAREST_METRES = 5;
    private static final double METRES_PER_ROOT_OF_BODIES = 0.6;
    private static final double HEIGHT_METRES = 3;

    /** At the inner edge; farther out as planets do, by the root of the distance cubed. */
    private static final double FASTEST_TURNS_A_SECOND = 0.5;

    /** Adding and subtracting it rounds a float to the nearest integer. */
    private static final float ROUND = 0x1.8p23f;

    // sin(pi x) and cos(pi x) for x from -0.5 to 0.5: their Taylor series, at most 7e-9 off at the ends.
    private static final float S1 = (float) Math.PI;
    private static final float S3 = (float) -5.167712780049969;
    private static final float S5 = (float) 2.550164039877345;
    private static final float S7 = (float) -0.5992645293207919;
    private static final float S9 = (float) 0.08214588661112819;
    private static final float S11 = (float) -0.007370430945714348;
    private static final float S13 = (float) 0.000466302805767612;
    private static final float C2 = (float) -4.934802200544679;
    private static final float C4 = (float) 4.058712126416768;
    private static final float C6 = (float) -1.3352627688545893;
    private static final float C8 = (float) 0.2353306303588935;
    private static final float C10 = (float) -0.02580689139001406;
    private static final float C12 = (float) 0.0019295743094039;

    private final int bodies;
    private final double farthestMetres;

    // Per block and body.
    private final float[][] turns;
    private final float[][] turnsASecond;
    private final float[][] radius;
    private final float[][] height;

    // Once, because a reference made in each capture would be allocated there.
    private final BlockFiller filler = this::fill;

    /** Creates bodies at places from a fixed seed. */
    public OrbitSimulation(int bodies) {
        if (bodies < 0) {
            throw new IllegalArgumentException("there cannot be " + bodies + " bodies");
        }
        this.bodies = bodies;
        farthestMetres = NEAREST_METRES + METRES_PER_ROOT_OF_BODIES * Math.sqrt(bodies);
        int blocks = (bodies + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        turns = new float[blocks][PoseBlock.CAPACITY];
        turnsASecond = new float[blocks][PoseBlock.CAPACITY];
        radius = new float[blocks][PoseBlock.CAPACITY];
        height = new float[blocks][PoseBlock.CAPACITY];
        SplittableRandom random = new SplittableRandom(23);
        for (int body = 0; body < bodies; body++) {
            int b = body >>> PoseBlock.SHIFT;
            int i = body & PoseBlock.MASK;
            // As many bodies on a square metre everywhere: the root of a random number, not the number.
            double distance = NEAREST_METRES + (farthestMetres - NEAREST_METRES) * Math.sqrt(random.nextDouble());
            double slower = NEAREST_METRES / distance;
            radius[b][i] = (float) distance;
            height[b][i] = (float) random.nextDouble(HEIGHT_METRES);
            turns[b][i] = (float) random.nextDouble(-1, 1);
            turnsASecond[b][i] = (float) (FASTEST_TURNS_A_SECOND * slower * Math.sqrt(slower));
        }
    }

    @Override
    public void step(Tick tick) {
        for (int b = 0; b < turns.length; b++) {
            turn(turns[b], turnsASecond[b], (float) tick.dtSeconds(), PoseBlock.CAPACITY);
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        poses.fillAll(filler);
    }

    private void fill(int firstSlot, int count, PoseBlock block) {
        int b = firstSlot >>> PoseBlock.SHIFT;
        Arrays.fill(block.qx, 0, count, 0);
        Arrays.fill(block.qz, 0, count, 0);
        System.arraycopy(height[b], 0, block.py, 0, count);
        sine(turns[b], block.qy, count);
        cosine(turns[b], block.qw, count);
        x(radius[b], block.qy, block.px, count);
        z(radius[b], block.qy, block.qw, block.pz, count);
    }

    @Override
    public long hash() {
        long hash = StateHash.start();
        for (int body = 0; body < bodies; body++) {
            hash = StateHash.add(hash, Float.floatToRawIntBits(turns[body >>> PoseBlock.SHIFT][body & PoseBlock.MASK]));
        }
        return StateHash.finish(hash);
    }

    /** The radius of the largest orbit, in metres. */
    public double farthestMetres() {
        return farthestMetres;
    }

    /**
     * Turns within -1 and 1, so that a float keeps as many bits after an hour as at first. Two turns, because only then does the quaternion
     * come back without a jump to its negative, which the capture would have to undo.
     */
    private static void turn(float[] turns, float[] turnsASecond, float dt, int n) {
        for (int i = 0; i < n; i++) {
            float t = turns[i] + turnsASecond[i] * dt;
            turns[i] = t - 2 * (0.5f * t + ROUND - ROUND);
        }
    }

    /** The sine of half the angle: within half a turn by a series, negated in every other turn. */
    private static void sine(float[] turns, float[] sine, int n) {
        for (int i = 0; i < n; i++) {
            float wholeTurns = turns[i] + ROUND - ROUND;
            float x = turns[i] - wholeTurns;
            float u = x * x;
            float s = x * (S1 + u * (S3 + u * (S5 + u * (S7 + u * (S9 + u * (S11 + u * S13))))));
            sine[i] = s * (1 - 2 * Math.abs(wholeTurns));
        }
    }

    /** The cosine of half the angle, by a series of its own: from the sine, it would be 3e-4 off where it is near zero. */
    private static void cosine(float[] turns, float[] cosine, int n) {
        for (int i = 0; i < n; i++) {
            float wholeTurns = turns[i] + ROUND - ROUND;
            float x = turns[i] - wholeTurns;
            float u = x * x;
            float c = 1 + u * (C2 + u * (C4 + u * (C6 + u * (C8 + u * (C10 + u * C12)))));
            cosine[i] = c * (1 - 2 * Math.abs(wholeTurns));
        }
    }

    private static void x(float[] radius, float[] sine, float[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = radius[i] * (1 - 2 * sine[i] * sine[i]);
        }
    }

    /** A rotation around y that turns x to -z is positive. */
    private static void z(float[] radius, float[] sine, float[] cosine, float[] z, int n) {
        for (int i = 0; i < n; i++) {
            z[i] = -2 * radius[i] * sine[i] * cosine[i];
        }
    }
}
