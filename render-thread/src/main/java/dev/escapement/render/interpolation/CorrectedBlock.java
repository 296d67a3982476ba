package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;

/**
 * Removes from poses the errors that a later tick corrects after a re-simulation.
 *
 * <p>One thread. Allocates only once, for the channels of its copy.
 */
final class CorrectedBlock {

    private PoseBlock copy = new PoseBlock();

    /**
     * Returns the poses of a block without their errors: the block itself if no pose was wrong. A block with room for fewer than {@code n}
     * poses becomes a copy with room for {@code n}. The added poses are arbitrary and have no effect, because the motions of their bodies
     * are broken.
     *
     * @param breaks the motion breaks of the later tick
     * @param count  how many breaks to consider; 0 if they are of another tick
     */
    PoseBlock withoutErrors(PoseBlock block, MotionBreaks breaks, int count, int n) {
        PoseBlock corrected = block.room() < n ? copyOf(block, n) : block;
        for (int e = 0; e < count; e++) {
            if (breaks.kind(e) == Kind.CORRECTED || breaks.kind(e) == Kind.CORRECTED_TURN) {
                corrected = copyOf(corrected, n);
                add(breaks, e, -1, corrected);
            }
        }
        return corrected;
    }

    /** Returns a writable copy of {@code block}; {@code block} itself if an earlier call has returned it as a copy. */
    PoseBlock copyOf(PoseBlock block, int n) {
        if (block != copy) {
            if (copy.channels.length != block.channels.length) {
                copy = new PoseBlock(block.channels.length);
            }
            copy.copyFrom(block, 0, Math.min(n, block.room()));
        }
        return copy;
    }

    /** Adds the error of a motion break to its body's pose; a sign of -1 removes it. Does nothing for other kinds of motion breaks. */
    static void add(MotionBreaks breaks, int e, int sign, PoseBlock poses) {
        int i = breaks.index(e);
        if (breaks.kind(e) == Kind.CORRECTED_TURN) {
            RotationVector.rotate(poses, breaks, e, sign, poses);
        } else if (breaks.kind(e) == Kind.CORRECTED) {
            poses.px[i] += sign * breaks.x(e);
            poses.py[i] += sign * breaks.y(e);
            poses.pz[i] += sign * breaks.z(e);
        }
    }
}
