package dev.escapement.physics.world;

import dev.escapement.physics.restore.StateHash;
import java.util.List;

/**
 * Reads the states of the attached bodies as raw bits. In a recorded tick it reads the engine only once, for the hash of the step and for
 * the states of single bodies.
 *
 * <p>One thread at a time. Allocates only when there are more bodies than ever before.
 */
final class BodyStateBits<B> {

    final List<String> components;

    /** By axis: the component with the velocity along it, -1 if there is none. */
    private final int[] velocityAt;

    /** The state of one body. */
    private final long[] single;

    /** The states of all bodies, one after the other, as {@link #hash} has read them last. */
    private long[] all = {};

    /** Whether the last step was not captured yet: between the two, nothing changes a body. */
    private boolean stepped;

    /** Whether {@link #all} still has the state after the step. */
    private boolean known;

    BodyStateBits(List<String> components) {
        this.components = List.copyOf(components);
        single = new long[components.size()];
        velocityAt = new int[] {
            components.indexOf("velocity x"), components.indexOf("velocity y"), components.indexOf("velocity z")
        };
    }

    void stepped() {
        stepped = true;
        known = false;
    }

    /** Called at the capture: from now on commands may change bodies unnoticed. */
    void captured() {
        stepped = false;
        known = false;
    }

    /** Called when bodies were attached, detached or restored. */
    void changed() {
        known = false;
    }

    long hash(WorldSimulation<?, B> engine) {
        int bodies = engine.bodyCount();
        int count = bodies * single.length;
        if (all.length < count) {
            all = new long[Math.max(count, 2 * all.length)];
        }
        for (int body = 0; body < bodies; body++) {
            read(engine, engine.attached(body), all, body * single.length);
        }
        known = stepped;
        return StateHash.finish(StateHash.addAll(StateHash.start(), all, count));
    }

    void copy(WorldSimulation<?, B> engine, int from, int to, long[] bits, int at) {
        if (known) {
            System.arraycopy(all, from * single.length, bits, at, (to - from) * single.length);
            return;
        }
        for (int body = from; body < to; body++) {
            read(engine, engine.attached(body), bits, at + (body - from) * single.length);
        }
    }

    /** Reads the velocity of a body, metres a second. NaN along x if the engine's components have none; 0 along z in two dimensions. */
    void velocity(WorldSimulation<?, B> engine, B body, double[] velocity) {
        read(engine, body, single, 0);
        for (int axis = 0; axis < velocity.length; axis++) {
            int at = velocityAt[axis];
            velocity[axis] = at >= 0 ? number(single[at]) : axis == 0 ? Double.NaN : 0;
        }
    }

    /** The bits of a float are sign-extended; a double with such bits would be NaN, or less than 1e-313. */
    private static double number(long bits) {
        return bits == (int) bits ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    long poseHash(WorldSimulation<?, B> engine, B body) {
        return StateHash.addAll(StateHash.start(), single, engine.readPose(body, single, 0));
    }

    long stateHash(WorldSimulation<?, B> engine, B body) {
        read(engine, body, single, 0);
        return StateHash.addAll(StateHash.start(), single);
    }

    /** Lets an origin see where a body is. */
    void show(WorldSimulation<?, B> engine, B body, SnapshotOrigin origin) {
        engine.readPose(body, single, 0);
        double z = engine.doubleAxes() < 3 ? 0 : Double.longBitsToDouble(single[2]);
        origin.see(Double.longBitsToDouble(single[0]), Double.longBitsToDouble(single[1]), z);
    }

    private void read(WorldSimulation<?, B> engine, B body, long[] bits, int at) {
        engine.readVelocities(body, bits, engine.readPose(body, bits, at));
    }
}
