package dev.escapement.render.lwjgl;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import org.joml.Quaternionf;

final class Poses {

    private static final Quaternionf UNTURNED = new Quaternionf();

    private Poses() {}

    static PoseBlocks none() {
        return new PoseBlocks(0);
    }

    static PoseBlocks one(float x, float y, float z) {
        return one(x, y, z, UNTURNED);
    }

    static PoseBlocks one(float x, float y, float z, Quaternionf rotation) {
        PoseBlocks poses = new PoseBlocks(1);
        poses.resize(1);
        put(poses, 0, x, y, z, rotation);
        return poses;
    }

    static PoseBlocks row(int bodies, float first, float gap) {
        PoseBlocks poses = new PoseBlocks(bodies);
        poses.resize(bodies);
        for (int body = 0; body < bodies; body++) {
            put(poses, body, first + gap * body, 1, 0, UNTURNED);
        }
        return poses;
    }

    /** Returns a flat square of touching boxes, each resting on the floor. */
    static PoseBlocks carpet(int boxes, int edge) {
        PoseBlocks poses = new PoseBlocks(boxes);
        poses.resize(boxes);
        for (int box = 0; box < boxes; box++) {
            int column = box % edge;
            int row = box / edge;
            put(poses, box, column - edge / 2f + 0.5f, 0.5f, row - edge / 2f + 0.5f, UNTURNED);
        }
        return poses;
    }

    private static void put(PoseBlocks poses, int body, float x, float y, float z, Quaternionf q) {
        poses.blockOf(body).set(body & PoseBlock.MASK, x, y, z, q.x, q.y, q.z, q.w);
    }
}
