package dev.escapement.physics.ode4j;

import dev.escapement.physics.replay.StateHash;
import dev.escapement.state.capture.PoseWriter;
import org.ode4j.math.DQuaternionC;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;

/** Reads the state of a body, without allocating. */
final class BodyReading {

    private BodyReading() {}

    static void writePose(DBody body, int slot, PoseWriter poses) {
        DVector3C position = body.getPosition();
        DQuaternionC rotation = body.getQuaternion(); // w comes first
        poses.set(
                slot,
                (float) position.get0(),
                (float) position.get1(),
                (float) position.get2(),
                (float) rotation.get1(),
                (float) rotation.get2(),
                (float) rotation.get3(),
                (float) rotation.get0());
    }

    static long addPose(long hash, DBody body) {
        DQuaternionC rotation = body.getQuaternion();
        long position = add(hash, body.getPosition());
        long half = StateHash.add(StateHash.add(position, rotation.get0()), rotation.get1());
        return StateHash.add(StateHash.add(half, rotation.get2()), rotation.get3());
    }

    static long addVelocities(long hash, DBody body) {
        return add(add(hash, body.getLinearVel()), body.getAngularVel());
    }

    private static long add(long hash, DVector3C v) {
        return StateHash.add(StateHash.add(StateHash.add(hash, v.get0()), v.get1()), v.get2());
    }
}
