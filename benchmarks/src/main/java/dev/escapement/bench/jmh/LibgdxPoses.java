package dev.escapement.bench.jmh;

import com.badlogic.gdx.math.Quaternion;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;

/** Poses in libGDX's objects, two a body, allocated in the order of the slots. */
final class LibgdxPoses {

    final Vector3[] positions;
    final Quaternion[] rotations;

    LibgdxPoses(PoseBlocks poses) {
        positions = new Vector3[poses.slotCount()];
        rotations = new Quaternion[poses.slotCount()];
        for (int body = 0; body < positions.length; body++) {
            PoseBlock p = poses.blockOf(body);
            int i = body & PoseBlock.MASK;
            positions[body] = new Vector3(p.px[i], p.py[i], p.pz[i]);
            rotations[body] = new Quaternion(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
        }
    }

    /**
     * Slerp and {@code nor}: where a body turns by less than 52 degrees, libGDX blends along the chord and leaves the result
     * too short, by 3e-4 for a turn of 0.1 rad.
     */
    void slerp(LibgdxPoses from, LibgdxPoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            positions[body].set(from.positions[body]).lerp(to.positions[body], alpha);
            rotations[body]
                    .set(from.rotations[body])
                    .slerp(to.rotations[body], alpha)
                    .nor();
        }
    }

    /** Slerp as it is, which does less. */
    void slerpUnnormalised(LibgdxPoses from, LibgdxPoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            positions[body].set(from.positions[body]).lerp(to.positions[body], alpha);
            rotations[body].set(from.rotations[body]).slerp(to.rotations[body], alpha);
        }
    }
}
