package dev.escapement.physics.world;

import dev.escapement.physics.restore.StateHash;

/**
 * Reads the states of the attached bodies as raw bits.
 *
 * <p>One thread at a time. Allocates only when there are more bodies than ever before.
 */
final class BodyStateBits<B> {

    /** The number of values that describe a body's motion: its place, velocity and angular velocity, by axis. */
    static final int MOTION = 9;

    private static final int VELOCITY = 3;

    private final EngineCalls<B> engine;

    /**
     * The index of each of the {@link #MOTION} values in the state of a body; -1 for a value that a body in two dimensions does not have.
     */
    final int[] motionAt;

    private final long[] single;

    private long[] all = {};

    BodyStateBits(EngineCalls<B> engine, int poseNumbers, int dimensions) {
        this.engine = engine;
        int v = poseNumbers;
        motionAt = dimensions == 2
                ? new int[] {0, 1, -1, v, v + 1, -1, -1, -1, v + 2}
                : new int[] {0, 1, 2, v, v + 1, v + 2, v + 3, v + 4, v + 5};
        single = new long[motionAt[MOTION - 1] + 1];
    }

    long hash() {
        int bodies = engine.bodies.size();
        int count = bodies * single.length;
        if (all.length < count) {
            all = new long[Math.max(count, 2 * all.length)];
        }
        for (int body = 0; body < bodies; body++) {
            read(engine.attached(body), all, body * single.length);
        }
        return StateHash.finish(StateHash.addAll(StateHash.start(), all, count));
    }

    /**
     * Reads the velocity of a body, metres a second; then, if the array is long enough, its angular velocity, radians a second. In two
     * dimensions the velocity along z and the angular velocities about x and y are 0.
     */
    void velocities(B body, double[] velocities) {
        engine.readVelocities(body, single, motionAt[VELOCITY]);
        numbers(VELOCITY, velocities);
    }

    /** Reads the place of a body in metres, its velocity and its angular velocity. */
    void motion(B body, double[] motion) {
        read(body, single, 0);
        numbers(0, motion);
    }

    private void numbers(int from, double[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            int at = motionAt[from + i];
            numbers[i] = at >= 0 ? number(single[at]) : 0;
        }
    }

    /**
     * Converts raw bits to a number. If the bits are a sign-extended int, they are those of a float: as a double they would be NaN or below
     * 1e-313, which is no position and no velocity.
     */
    private static double number(long bits) {
        return bits == (int) bits ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    long poseHash(B body) {
        return StateHash.addAll(StateHash.start(), single, engine.readPose(body, single, 0));
    }

    long stateHash(B body) {
        read(body, single, 0);
        return StateHash.addAll(StateHash.start(), single, single.length);
    }

    /** Reports the place of a body to the {@link SnapshotOrigin}. */
    void show(B body) {
        engine.readPose(body, single, 0);
        double z = engine.doubleAxes() < 3 ? 0 : Double.longBitsToDouble(single[2]);
        engine.origin.see(Double.longBitsToDouble(single[0]), Double.longBitsToDouble(single[1]), z);
    }

    void read(B body, long[] bits, int at) {
        engine.readVelocities(body, bits, engine.readPose(body, bits, at));
    }
}
