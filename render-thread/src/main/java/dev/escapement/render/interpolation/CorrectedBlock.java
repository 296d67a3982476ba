package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;

/**
 * The poses of an earlier tick without the errors that a later one corrects, because ticks ran again: the poses to blend from. One thread.
 * Allocates nothing.
 */
final class CorrectedBlock {

    private PoseBlock copy = new PoseBlock();

    /**
     * The poses of a block; the block itself if none was wrong.
     *
     * @param motion of the later tick
     * @param isNew  whether it was written in the later tick; otherwise its motion breaks are of an earlier one, and are ignored
     */
    PoseBlock of(PoseBlock block, MotionBlock motion, boolean isNew, int n) {
        MotionBreaks breaks = motion.breaks();
        PoseBlock right = block;
        for (int e = 0; isNew && e < breaks.count(); e++) {
            boolean isTurn = breaks.kind(e) == Kind.CORRECTED_TURN;
            if (!isTurn && breaks.kind(e) != Kind.CORRECTED) {
                continue;
            }
            if (right == block) {
                right = copyOf(block, n);
            }
            int i = breaks.index(e);
            if (isTurn) {
                RotationVector.turn(block, i, breaks.x(e), breaks.y(e), breaks.z(e), -1, right);
            } else {
                right.px[i] -= breaks.x(e);
                right.py[i] -= breaks.y(e);
                right.pz[i] -= breaks.z(e);
            }
        }
        return right;
    }

    private PoseBlock copyOf(PoseBlock block, int n) {
        if (copy.channels.length != block.channels.length) {
            copy = new PoseBlock(block.channels.length);
        }
        copy.copyFrom(block, 0, n);
        return copy;
    }
}
