package dev.escapement.physics.bullet;

import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.math.Matrix3f;
import com.jme3.math.Vector3f;
import dev.escapement.physics.replay.StateHash;
import java.util.List;

/**
 * The raw bits of every body's state, read once after a change: each read is four native calls a body, which set eighteen fields.
 *
 * <p>Used by one thread.
 */
final class BulletBodyStates {

    static final List<String> COMPONENTS = List.of(
            "position x",
            "position y",
            "position z",
            "rotation xx",
            "rotation xy",
            "rotation xz",
            "rotation yx",
            "rotation yy",
            "rotation yz",
            "rotation zx",
            "rotation zy",
            "rotation zz",
            "velocity x",
            "velocity y",
            "velocity z",
            "angular velocity x",
            "angular velocity y",
            "angular velocity z");

    private static final int LENGTH = COMPONENTS.size();

    private final PhysicsRigidBody[] bodies;
    private final long[] bits;
    private final Vector3f vector = new Vector3f();
    private final Matrix3f basis = new Matrix3f();
    private boolean known;

    BulletBodyStates(PhysicsRigidBody[] bodies) {
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
        for (PhysicsRigidBody body : bodies) {
            put(body.getPhysicsLocation(vector), at);
            body.getPhysicsRotationMatrix(basis);
            for (int i = 0; i < 9; i++) {
                put(basis.get(i / 3, i % 3), at + 3 + i);
            }
            put(body.getLinearVelocity(vector), at + 12);
            put(body.getAngularVelocity(vector), at + 15);
            at += LENGTH;
        }
        known = true;
    }

    private void put(Vector3f v, int at) {
        put(v.x, at);
        put(v.y, at + 1);
        put(v.z, at + 2);
    }

    private void put(float value, int at) {
        bits[at] = Float.floatToRawIntBits(value);
    }
}
