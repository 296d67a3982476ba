package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Converts positions relative to a snapshot's origin into positions relative to a camera. The shift is a double, split into two floats:
 * adding the large one gives a small exact difference near the camera, where it matters, then the small one is added. The error is
 * within one unit in the last place of the result. One thread.
 */
final class CameraShift {

    private final float[] shiftedX = new float[PoseBlock.CAPACITY];
    private final float[] shiftedY = new float[PoseBlock.CAPACITY];
    private final float[] shiftedZ = new float[PoseBlock.CAPACITY];
    private double byX;
    private double byY;
    private double byZ;

    void none() {
        byX = 0;
        byY = 0;
        byZ = 0;
    }

    void set(Snapshot measuredFrom, double cameraX, double cameraY, double cameraZ) {
        byX = measuredFrom.originX() - cameraX;
        byY = measuredFrom.originY() - cameraY;
        byZ = measuredFrom.originZ() - cameraZ;
    }

    /** The x of the first {@code n} bodies of a block, valid until the next call for x. */
    float[] x(PoseBlock p, int n) {
        return shift(p.px, byX, shiftedX, n);
    }

    float[] y(PoseBlock p, int n) {
        return shift(p.py, byY, shiftedY, n);
    }

    float[] z(PoseBlock p, int n) {
        return shift(p.pz, byZ, shiftedZ, n);
    }

    private static float[] shift(float[] positions, double by, float[] out, int n) {
        if (by == 0) {
            return positions;
        }
        float large = (float) by;
        VectorLoops.add(positions, large, (float) (by - large), out, n);
        return out;
    }
}
