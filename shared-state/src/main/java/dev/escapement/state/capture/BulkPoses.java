package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;

/** Writes many poses of one block in one loop, as {@link Rotations#write} does for one. */
final class BulkPoses {

    private static final int POSITION_FLOATS = 3;
    private static final int ROTATION_FLOATS = 4;

    private BulkPoses() {}

    /**
     * Writes poses that need no more checks of bodies that were there in the tick before.
     *
     * @param index the first body's index within the block
     * @param at    which body of the arrays it is
     */
    static void write(
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
            Rotations.write(
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
}
