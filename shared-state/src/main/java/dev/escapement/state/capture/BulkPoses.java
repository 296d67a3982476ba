package dev.escapement.state.capture;

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

    /**
     * Stores poses in consecutive slots of a block.
     *
     * @param index the first body's index within the block
     * @param at    the first body's index in the arrays
     */
    static void store(PoseBlock block, int index, int count, int at, float[] positions, float[] rotations) {
        for (int i = 0; i < count; i++) {
            int p = POSITION_FLOATS * (at + i);
            block.px[index + i] = positions[p];
            block.py[index + i] = positions[p + 1];
            block.pz[index + i] = positions[p + 2];
        }
        for (int i = 0; i < count; i++) {
            int r = ROTATION_FLOATS * (at + i);
            block.qx[index + i] = rotations[r];
            block.qy[index + i] = rotations[r + 1];
            block.qz[index + i] = rotations[r + 2];
            block.qw[index + i] = rotations[r + 3];
        }
    }
}
