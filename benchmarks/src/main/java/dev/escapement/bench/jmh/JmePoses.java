package dev.escapement.bench.jmh;

import com.jme3.math.Quaternion;
import com.jme3.math.Vector3f;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;

/** Poses in jMonkeyEngine's objects, two a body, allocated in the order of the slots. */
final class JmePoses {

    final Vector3f[] positions;
    final Quaternion[] rotations;

    JmePoses(PoseBlocks poses) {
        positions = new Vector3f[poses.slotCount()];
        rotations = new Quaternion[poses.slotCount()];
        for (int body = 0; body < positions.length; body++) {
            PoseBlock p = poses.blockOf(body);
            int i = body & PoseBlock.MASK;
            positions[body] = new Vector3f(p.px[i], p.py[i], p.pz[i]);
            rotations[body] = new Quaternion(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
        }
    }

    /**
     * Slerp and {@code normalizeLocal}: where a body turns by less than 52 degrees, jMonkeyEngine blends along the chord and
     * leaves the result too short, by 3e-4 for a turn of 0.1 rad.
     */
    void slerp(JmePoses from, JmePoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            positions[body].interpolateLocal(from.positions[body], to.positions[body], alpha);
            rotations[body]
                    .slerp(from.rotations[body], to.rotations[body], alpha)
                    .normalizeLocal();
        }
    }

    /** Slerp as it is, which does less. */
    void slerpUnnormalised(JmePoses from, JmePoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            positions[body].interpolateLocal(from.positions[body], to.positions[body], alpha);
            rotations[body].slerp(from.rotations[body], to.rotations[body], alpha);
        }
    }

    void nlerp(JmePoses from, JmePoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            positions[body].interpolateLocal(from.positions[body], to.positions[body], alpha);
            rotations[body].set(from.rotations[body]).nlerp(to.rotations[body], alpha);
        }
    }
}
