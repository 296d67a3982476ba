package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.replay.StateHash;
import java.util.List;

/**
 * The raw bits of every body's state, read once after a change: each read is thirteen native calls a body.
 *
 * <p>Used by one thread.
 */
final class JoltBodyStates {

    static final List<String> COMPONENTS = List.of(
            "position x",
            "position y",
            "position z",
            "rotation x",
            "rotation y",
            "rotation z",
            "rotation w",
            "velocity x",
            "velocity y",
            "velocity z",
            "angular velocity x",
            "angular velocity y",
            "angular velocity z");

    private static final int LENGTH = COMPONENTS.size();

    private final Body[] bodies;
    private final long[] bits;
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();
    private boolean known;

    JoltBodyStates(Body[] bodies) {
        this.bodies = bodies;
        bits = new long[LENGTH * bodies.length];
    }

    /** What was read is not so any more. */
    void changed() {
        known = false;
    }

    long hash() {
        read();
        return StateHash.finish(StateHash.addAll(StateHash.start(), bits));
    }

    void copy(int body, long[] to, int at) {
        read();
        System.arraycopy(bits, LENGTH * body, to, at, LENGTH);
    }

    private void read() {
        if (known) {
            return;
        }
        int at = 0;
        for (Body body : bodies) {
            body.getPositionAndRotation(position, rotation);
            bits[at] = Double.doubleToRawLongBits(position.xx());
            bits[at + 1] = Double.doubleToRawLongBits(position.yy());
            bits[at + 2] = Double.doubleToRawLongBits(position.zz());
            bits[at + 3] = Float.floatToRawIntBits(rotation.getX());
            bits[at + 4] = Float.floatToRawIntBits(rotation.getY());
            bits[at + 5] = Float.floatToRawIntBits(rotation.getZ());
            bits[at + 6] = Float.floatToRawIntBits(rotation.getW());
            put(body.getLinearVelocity(), at + 7);
            put(body.getAngularVelocity(), at + 10);
            at += LENGTH;
        }
        known = true;
    }

    private void put(Vec3 v, int at) {
        bits[at] = Float.floatToRawIntBits(v.getX());
        bits[at + 1] = Float.floatToRawIntBits(v.getY());
        bits[at + 2] = Float.floatToRawIntBits(v.getZ());
    }
}
