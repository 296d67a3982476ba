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
     * The poses of a block; the block itself if none was wrong. If it has less room, the others can have any pose: their motion is broken.
     *
     * @param motion of the later tick
     * @param isNew  whether it was written in the later tick; otherwise its motion breaks are of an earlier one, and are ignored
     */
    PoseBlock of(PoseBlock block, MotionBlock motion, boolean isNew, int n) {
        MotionBreaks breaks = motion.breaks();
        PoseBlock right = block.room() < n ? copyOf(block, n) : block;
        for (int e = 0; isNew && e < breaks.count(); e++) {
            if (breaks.kind(e) == Kind.CORRECTED || breaks.kind(e) == Kind.CORRECTED_TURN) {
                right = right == block ? copyOf(block, n) : right;
                add(breaks, e, -1, right);
            }
        }
        return right;
    }

    /** Adds the error of a motion break to its body's pose, or takes it out for a sign of -1. Does nothing for other motion breaks. */
    static void add(MotionBreaks breaks, int e, int sign, PoseBlock poses) {
        int i = breaks.index(e);
        if (breaks.kind(e) == Kind.CORRECTED_TURN) {
            RotationVector.turn(poses, i, breaks.x(e), breaks.y(e), breaks.z(e), sign, poses);
        } else if (breaks.kind(e) == Kind.CORRECTED) {
            poses.px[i] += sign * breaks.x(e);
            poses.py[i] += sign * breaks.y(e);
            poses.pz[i] += sign * breaks.z(e);
        }
    }

    private PoseBlock copyOf(PoseBlock block, int n) {
        if (copy.channels.length != block.channels.length) {
            copy = new PoseBlock(block.channels.length);
        }
        copy.copyFrom(block, 0, Math.min(n, block.room()));
        return copy;
    }
}
