package dev.escapement.bench.jmh;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import org.joml.Quaternionf;
import org.joml.Vector3f;

/** Poses in JOML's objects, two a body, allocated in the order of the slots. */
final class JomlPoses {

    final Vector3f[] positions;
    final Quaternionf[] rotations;

    JomlPoses(PoseBlocks poses) {
        positions = new Vector3f[poses.slotCount()];
        rotations = new Quaternionf[poses.slotCount()];
        for (int body = 0; body < positions.length; body++) {
            PoseBlock p = poses.blockOf(body);
            int i = body & PoseBlock.MASK;
            positions[body] = new Vector3f(p.px[i], p.py[i], p.pz[i]);
            rotations[body] = new Quaternionf(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
        }
    }

    void slerp(JomlPoses from, JomlPoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            from.positions[body].lerp(to.positions[body], alpha, positions[body]);
            from.rotations[body].slerp(to.rotations[body], alpha, rotations[body]);
        }
    }

    void nlerp(JomlPoses from, JomlPoses to, float alpha) {
        for (int body = 0; body < positions.length; body++) {
            from.positions[body].lerp(to.positions[body], alpha, positions[body]);
            from.rotations[body].nlerp(to.rotations[body], alpha, rotations[body]);
        }
    }

    /** Blends each body and writes it at once, measured from the camera. */
    void slerpInterleaved(JomlPoses from, JomlPoses to, float alpha, Vector3f camera, FloatBuffer out) {
        out.clear();
        for (int body = 0; body < positions.length; body++) {
            Vector3f p = from.positions[body].lerp(to.positions[body], alpha, positions[body]);
            Quaternionf q = from.rotations[body].slerp(to.rotations[body], alpha, rotations[body]);
            out.put(p.x - camera.x).put(p.y - camera.y).put(p.z - camera.z);
            out.put(q.x).put(q.y).put(q.z).put(q.w);
        }
    }

    /** Copies from arrays of three and of four floats a body. */
    void copy(float[] fromPositions, float[] fromRotations) {
        for (int body = 0; body < positions.length; body++) {
            int p = 3 * body;
            int r = 4 * body;
            positions[body].set(fromPositions[p], fromPositions[p + 1], fromPositions[p + 2]);
            rotations[body].set(fromRotations[r], fromRotations[r + 1], fromRotations[r + 2], fromRotations[r + 3]);
        }
    }
}
