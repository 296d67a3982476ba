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
 * same bits on every machine: only + - * / run per tick.
 */
public final class OrbitSimulation implements Simulation {

    private static final double NEAREST_METRES = 5;
    private static final double METRES_PER_ROOT_OF_BODIES = 0.6;
    private static final double HEIGHT_METRES = 3;

    /** At the inner edge; farther out as planets do, by the root of the distance cubed. */
    private static final double FASTEST_TURNS_A_SECOND = 0.5;

    private final int bodies;
    private final double farthestMetres;

    // Per block and body: sine and cosine of half the angle, and the radians by which that grows in a second.
    private final float[][] sine;
    private final float[][] cosine;
    private final float[][] halfRadiansASecond;
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
        sine = new float[blocks][PoseBlock.CAPACITY];
        cosine = new float[blocks][PoseBlock.CAPACITY];
        halfRadiansASecond = new float[blocks][PoseBlock.CAPACITY];
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
            double half = StrictMath.PI * random.nextDouble(-1, 1);
            sine[b][i] = (float) StrictMath.sin(half);
            cosine[b][i] = (float) StrictMath.cos(half);
            halfRadiansASecond[b][i] = (float) (Math.PI * FASTEST_TURNS_A_SECOND * slower * Math.sqrt(slower));
        }
    }

    @Override
    public void step(Tick tick) {
        for (int b = 0; b < sine.length; b++) {
            turn(sine[b], cosine[b], halfRadiansASecond[b], (float) tick.dtSeconds());
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
        System.arraycopy(sine[b], 0, block.qy, 0, count);
        System.arraycopy(cosine[b], 0, block.qw, 0, count);
        places(radius[b], block, count);
    }

    @Override
    public long hash() {
        long hash = StateHash.start();
        for (int body = 0; body < bodies; body++) {
            int b = body >>> PoseBlock.SHIFT;
            int i = body & PoseBlock.MASK;
            hash = StateHash.add(hash, Float.floatToRawIntBits(sine[b][i]));
            hash = StateHash.add(hash, Float.floatToRawIntBits(cosine[b][i]));
        }
        return StateHash.finish(hash);
    }

    /** The radius of the largest orbit, in metres. */
    public double farthestMetres() {
        return farthestMetres;
    }

    /**
     * Turns by a small angle, whose sine and cosine are their series up to the fourth power: less than 1e-8 off at 100 Hz. What rounding
     * takes from or adds to the length of the quaternion is put right at once, so that an hour leaves it a unit.
     */
    private static void turn(float[] sine, float[] cosine, float[] halfRadiansASecond, float dt) {
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            float angle = halfRadiansASecond[i] * dt;
            float square = angle * angle;
            float s = angle * (1 - square / 6);
            float c = 1 - square / 2 + square * square / 24;
            float newSine = sine[i] * c + cosine[i] * s;
            float newCosine = cosine[i] * c - sine[i] * s;
            float toUnit = 1.5f - 0.5f * (newSine * newSine + newCosine * newCosine);
            sine[i] = newSine * toUnit;
            cosine[i] = newCosine * toUnit;
        }
    }

    /** Where the rotations around y point to: one that turns x to -z is positive. */
    private static void places(float[] radius, PoseBlock block, int n) {
        for (int i = 0; i < n; i++) {
            block.px[i] = radius[i] * (1 - 2 * block.qy[i] * block.qy[i]);
            block.pz[i] = -2 * radius[i] * block.qy[i] * block.qw[i];
        }
    }
}
