package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;

/** Poses of many bodies in two arrays, as {@link PoseWriter#setAll} takes them. */
final class BulkPoses {

    private static final int POSITION_FLOATS = 3;
    private static final int ROTATION_FLOATS = 4;

    private BulkPoses() {}

    static void requireRoom(int count, float[] positions, float[] rotations) {
        if (count < 0
                || (long) count * POSITION_FLOATS > positions.length
                || (long) count * ROTATION_FLOATS > rotations.length) {
            throw new IllegalArgumentException(count + " bodies need " + (long) count * POSITION_FLOATS
                    + " floats of position and " + (long) count * ROTATION_FLOATS + " of rotation, but there are "
                    + positions.length + " and " + rotations.length);
        }
    }

    /** {@link PoseLimits#scale} of the arrays' body {@code at}. */
    static float scale(int slot, int at, float[] positions, float[] rotations) {
        int p = at * POSITION_FLOATS;
        int r = at * ROTATION_FLOATS;
        return PoseLimits.scale(
                slot,
                positions[p],
                positions[p + 1],
                positions[p + 2],
                rotations[r],
                rotations[r + 1],
                rotations[r + 2],
                rotations[r + 3]);
    }

    /**
     * Writes poses of one block in one loop, with {@link Rotations#setRotation} for each. The caller has checked them, and their bodies
     * existed in the tick before.
     *
     * @param index the first body's index within the block
     * @param at    the first body's index in the arrays
     */
    static void setPoses(
            PoseBlock block,
            MotionBlock motion,
            PoseBlock before,
            int index,
            int count,
            int at,
            float[] positions,
            float[] rotations) {
        for (int i = 0; i < count; i++) {
            int p = POSITION_FLOATS * (at + i);
            block.px[index + i] = positions[p];
            block.py[index + i] = positions[p + 1];
            block.pz[index + i] = positions[p + 2];
        }
        for (int i = 0; i < count; i++) {
            int r = ROTATION_FLOATS * (at + i);
            Rotations.setRotation(
                    block,
                    motion,
                    before,
                    index + i,
                    rotations[r],
                    rotations[r + 1],
                    rotations[r + 2],
                    rotations[r + 3]);
        }
    }

    /** The slow path of {@link SnapshotBuilder#setAllPoses}: some poses need a scale or are not finite, or some bodies are new. */
    static void setOneByOne(
            SnapshotBuilder snapshot, int slot, int count, int at, float[] positions, float[] rotations) {
        for (int i = 0; i < count; i++) {
            int p = (at + i) * POSITION_FLOATS;
            int r = (at + i) * ROTATION_FLOATS;
            snapshot.setPose(
                    slot + i,
                    scale(slot + i, at + i, positions, rotations),
                    positions[p],
                    positions[p + 1],
                    positions[p + 2],
                    rotations[r],
                    rotations[r + 1],
                    rotations[r + 2],
                    rotations[r + 3]);
        }
    }
}
