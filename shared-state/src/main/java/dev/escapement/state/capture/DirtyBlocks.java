package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Copies the tick before into a reused snapshot, block by block, if a block's content differs.
 *
 * <p>A reused block still has the content of an earlier tick. Its version is the number of the tick that changed it last: two blocks of the
 * same version have the same content, so a snapshot whose number is not unique forgets its blocks first. A block is dirty, that is, the
 * current capture changes it, if its version is the capture's tick.
 */
final class DirtyBlocks {

    private Snapshot target;
    private @Nullable Snapshot previous;
    private int blocksBefore;

    /** False while no block has bodies that change in this tick. In most ticks of a large world, this saves a look at each block. */
    private boolean anyBodiesDirty;

    DirtyBlocks(Snapshot nothing) {
        target = nothing;
    }

    void startTick(Snapshot newTarget, @Nullable Snapshot newPrevious) {
        target = newTarget;
        previous = newPrevious;
        anyBodiesDirty = false;
        blocksBefore = newPrevious == null ? 0 : newPrevious.poses().blockCount();
    }

    @Nullable
    Snapshot previous() {
        return previous;
    }

    private @Nullable Snapshot before(int b) {
        return b < blocksBefore ? previous : null;
    }

    @Nullable
    PoseBlock posesBefore(int b) {
        Snapshot before = before(b);
        return before == null ? null : before.poses().block(b);
    }

    /** Returns whether the bodies of a block are dirty. */
    boolean areBodiesDirty(int b) {
        return anyBodiesDirty && target.bodyBlock(b).changedTick() == target.tick();
    }

    /** Returns whether this tick has another origin than the one before. */
    boolean hasOtherOrigin() {
        Snapshot before = previous;
        return before != null
                && (before.originX() != target.originX()
                        || before.originY() != target.originY()
                        || before.originZ() != target.originZ());
    }

    /** Converts a position copied from the tick before, which may have another origin, to this tick's origin. */
    void moveToOrigin(PoseBlock block, int index) {
        Snapshot before = previous;
        if (before != null) {
            block.px[index] += (float) (before.originX() - target.originX());
            block.py[index] += (float) (before.originY() - target.originY());
            block.pz[index] += (float) (before.originZ() - target.originZ());
        }
    }

    boolean isDirty(int b) {
        return target.motion(b).changedTick() == target.tick();
    }

    /** Makes a block dirty: a copy of the tick before, in which no body has moved. */
    void makeDirty(int b) {
        makeDirty(b, 0);
    }

    /**
     * Makes a block dirty for {@code count} new poses: a copy of the tick before, unless they replace all of its poses and the layout
     * has no channels.
     */
    void makeDirty(int b, int count) {
        if (!isDirty(b)) {
            MotionBlock motion = target.motion(b);
            Snapshot before = before(b);
            boolean isReplaced = count == target.poses().slotsIn(b)
                    && target.layout().channels().isEmpty();
            if (!isReplaced && (before == null || before.motion(b).changedTick() != motion.changedTick())) {
                copyPoses(b, before);
            }
            motion.resetMotion(target.tick(), target.poses().slotsIn(b));
            if (before != null) {
                motion.keepCorrections(before.motion(b));
            }
        }
    }

    /**
     * Copies the poses of the slots in use, not whole arrays: in many small worlds, copying whole arrays was most of a tick's cost. Puts
     * slots that the tick before lacks at the origin.
     */
    private void copyPoses(int b, @Nullable Snapshot before) {
        PoseBlock poses = target.poses().block(b);
        if (before != null) {
            poses.copyFrom(before.poses().block(b), 0, slotsInBoth(b, before));
        }
        poses.clear(before == null ? 0 : slotsInBoth(b, before), target.poses().slotsIn(b));
    }

    int slotsInBoth(int b, Snapshot before) {
        return Math.min(target.poses().slotsIn(b), before.poses().slotsIn(b));
    }

    /**
     * The bodies of a block with this tick's changes so far. A block that the tick before lacks must have a body already, else its content
     * is of an older tick.
     */
    BodyBlock bodies(int b) {
        Snapshot before = before(b);
        return before == null || areBodiesDirty(b) ? target.bodyBlock(b) : before.bodyBlock(b);
    }

    long parentOf(int slot) {
        return bodies(slot >>> PoseBlock.SHIFT).parent(slot & PoseBlock.MASK);
    }

    /** Makes the block of a slot dirty, with its bodies. */
    BodyBlock makeAllDirty(int slot) {
        makeDirty(slot >>> PoseBlock.SHIFT);
        return makeBodiesDirty(slot >>> PoseBlock.SHIFT);
    }

    /** Makes the bodies of a block dirty: a copy of the tick before. */
    BodyBlock makeBodiesDirty(int b) {
        BodyBlock bodies = target.bodyBlock(b);
        if (!areBodiesDirty(b)) {
            Snapshot before = before(b);
            if (before == null) {
                bodies.clear();
            } else if (before.bodyBlock(b).changedTick() != bodies.changedTick()) {
                bodies.copyFrom(before.bodyBlock(b));
            }
            bodies.changedAt(target.tick());
            anyBodiesDirty = true;
        }
        return bodies;
    }

    void keepUnchanged() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            Snapshot before = before(b);
            if (before != null) {
                keep(b, before);
            } else {
                makeDirty(b);
                makeBodiesDirty(b);
            }
        }
    }

    private void keep(int b, Snapshot before) {
        MotionBlock motion = target.motion(b);
        if (!isDirty(b) && motion.changedTick() != before.motion(b).changedTick()) {
            copyPoses(b, before);
            motion.copyFrom(
                    before.motion(b), slotsInBoth(b, before), target.poses().slotsIn(b));
        }
        BodyBlock bodies = target.bodyBlock(b);
        if (!areBodiesDirty(b) && bodies.changedTick() != before.bodyBlock(b).changedTick()) {
            bodies.copyFrom(before.bodyBlock(b));
        }
    }
}
