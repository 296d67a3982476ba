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
 * same version have the same content. A block is open, that is, the current capture changes it, if its version is the capture's tick.
 */
final class ChangedBlocks {

    private Snapshot target;
    private @Nullable Snapshot previous;
    private int blocksBefore;

    /** False while no block has bodies that change in this tick. In most ticks of a large world, this saves a look at each block. */
    private boolean anyBodiesOpen;

    ChangedBlocks(Snapshot nothing) {
        target = nothing;
    }

    void startTick(Snapshot newTarget, @Nullable Snapshot newPrevious) {
        target = newTarget;
        previous = newPrevious;
        anyBodiesOpen = false;
        blocksBefore = newPrevious == null ? 0 : newPrevious.poses().blockCount();
    }

    private @Nullable Snapshot before(int b) {
        return b < blocksBefore ? previous : null;
    }

    @Nullable
    PoseBlock posesBefore(int b) {
        Snapshot before = before(b);
        return before == null ? null : before.poses().block(b);
    }

    /** Returns whether the body in a slot was spawned in this tick. If so, the slot's pose in the tick before is not this body's. */
    boolean isSpawnedNow(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        // A spawn marks the bodies of its block as changed in this tick. Without the mark, the reused array may still
        // have another tick's value.
        return areBodiesOpen(b) && target.bodyBlock(b).sinceTick[slot & PoseBlock.MASK] == target.tick();
    }

    /** Returns whether the bodies of a block are open, that is, change in this tick. */
    boolean areBodiesOpen(int b) {
        return anyBodiesOpen && target.bodyBlock(b).changedTick() == target.tick();
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

    boolean isOpen(int b) {
        return target.motion(b).changedTick() == target.tick();
    }

    /** Opens a block: makes it a copy of the tick before, in which no body has moved. */
    void open(int b) {
        open(b, 0);
    }

    /**
     * Opens a block for {@code count} new poses: makes it a copy of the tick before, unless they replace all of its poses and the layout
     * has no channels.
     */
    void open(int b, int count) {
        if (!isOpen(b)) {
            MotionBlock motion = target.motion(b);
            Snapshot before = before(b);
            boolean isReplaced = count == target.poses().slotsIn(b)
                    && target.layout().channels().isEmpty();
            if (!isReplaced && (before == null || before.motion(b).changedTick() != motion.changedTick())) {
                copyPoses(b, before);
            }
            motion.resetMotion(target.tick(), target.poses().slotsIn(b));
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
        return before == null || areBodiesOpen(b) ? target.bodyBlock(b) : before.bodyBlock(b);
    }

    long parentOf(int slot) {
        return bodies(slot >>> PoseBlock.SHIFT).parent(slot & PoseBlock.MASK);
    }

    /** Opens the bodies of a block for changes: makes them a copy of the tick before. */
    BodyBlock openBodies(int b) {
        BodyBlock bodies = target.bodyBlock(b);
        if (!areBodiesOpen(b)) {
            Snapshot before = before(b);
            if (before == null) {
                bodies.clear();
            } else if (before.bodyBlock(b).changedTick() != bodies.changedTick()) {
                bodies.copyFrom(before.bodyBlock(b));
            }
            bodies.changedAt(target.tick());
            anyBodiesOpen = true;
        }
        return bodies;
    }

    void keepUnchanged() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            Snapshot before = before(b);
            if (before != null) {
                keep(b, before);
            } else {
                open(b);
                openBodies(b);
            }
        }
    }

    private void keep(int b, Snapshot before) {
        MotionBlock motion = target.motion(b);
        if (!isOpen(b) && motion.changedTick() != before.motion(b).changedTick()) {
            copyPoses(b, before);
            motion.copyFrom(
                    before.motion(b), slotsInBoth(b, before), target.poses().slotsIn(b));
        }
        BodyBlock bodies = target.bodyBlock(b);
        if (!areBodiesOpen(b) && bodies.changedTick() != before.bodyBlock(b).changedTick()) {
            bodies.copyFrom(before.bodyBlock(b));
        }
    }
}
