package dev.escapement.physics.world;

import dev.escapement.physics.restore.StateHash;
import java.util.List;

/**
 * Reads the states of the attached bodies as raw bits.
 *
 * <p>One thread at a time. Allocates only when there are more bodies than ever before.
 */
final class BodyStateBits<B> {

    private final EngineCalls<B> engine;
    final List<String> components;

    /** How many numbers say how a body moves: place, velocity and angular velocity, by axis. */
    static final int MOTION = 9;

    private static final int VELOCITY = 3;

    /** The component of each of these numbers, -1 if there is none. */
    private final int[] motionAt = new int[MOTION];

    /** The state of one body. */
    private final long[] single;

    /** The states of all bodies, one after the other. Reused. */
    private long[] all = {};

    BodyStateBits(EngineCalls<B> engine, List<String> components) {
        this.engine = engine;
        this.components = List.copyOf(components);
        single = new long[components.size()];
        for (int i = 0; i < MOTION; i++) {
            String of = i < VELOCITY ? "position " : i < 2 * VELOCITY ? "velocity " : "angular velocity ";
            motionAt[i] = components.indexOf(of + "xyz".charAt(i % 3));
        }
        if (motionAt[MOTION - 1] < 0) {
            motionAt[MOTION - 1] = components.indexOf("angular velocity"); // in two dimensions
        }
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
     * Reads the velocity of a body, metres a second: NaN along x if the engine's components have none, 0 along z in two dimensions. Then,
     * if there is room, its angular velocity, radians a second: 0 about an axis for which there is none.
     */
    void velocities(B body, double[] velocities) {
        engine.readVelocities(body, single, Math.max(0, motionAt[VELOCITY]));
        numbers(VELOCITY, velocities);
    }

    /** The place in metres, and both velocities. */
    void motion(B body, double[] motion) {
        read(body, single, 0);
        numbers(0, motion);
    }

    private void numbers(int from, double[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            int at = motionAt[from + i];
            numbers[i] = at >= 0 ? number(single[at]) : from + i == VELOCITY ? Double.NaN : 0;
        }
    }

    /** The bits of a float are sign-extended; a double with such bits would be NaN, or less than 1e-313. */
    private static double number(long bits) {
        return bits == (int) bits ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    long poseHash(B body) {
        return StateHash.addAll(StateHash.start(), single, engine.readPose(body, single, 0));
    }

    long stateHash(B body) {
        read(body, single, 0);
        return StateHash.addAll(StateHash.start(), single);
    }

    /** Lets the origin of snapshots see where a body is. */
    void show(B body) {
        engine.readPose(body, single, 0);
        double z = engine.doubleAxes() < 3 ? 0 : Double.longBitsToDouble(single[2]);
        engine.origin.seeInEngine(Double.longBitsToDouble(single[0]), Double.longBitsToDouble(single[1]), z);
    }

    void read(B body, long[] bits, int at) {
        engine.readVelocities(body, bits, engine.readPose(body, bits, at));
    }
}
