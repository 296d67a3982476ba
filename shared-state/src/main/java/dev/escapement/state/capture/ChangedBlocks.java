package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Copies the previous tick into a reused snapshot, block by block and only where needed. A reused block still has the contents of some
 * earlier tick. Each block has the number of the tick that changed it last as its version: two blocks of the same version have the same
 * contents.
 */
final class ChangedBlocks {

    private Snapshot target;
    private @Nullable Snapshot previous;
    private int knownBlocks;

    /** Whether {@link #areBodiesOpen} may be true: saves checking every block of a large world in most ticks. */
    private boolean anyBodiesOpen;

    ChangedBlocks(Snapshot nothing) {
        target = nothing;
    }

    /** Starts to write a snapshot that follows the previous one. */
    void startTick(Snapshot newTarget, @Nullable Snapshot newPrevious) {
        target = newTarget;
        previous = newPrevious;
        anyBodiesOpen = false;
        knownBlocks = newPrevious == null ? 0 : newPrevious.poses().blockCount();
    }

    /** The block as it was in the tick before, null if it did not exist. */
    @Nullable
    PoseBlock posesBefore(int b) {
        return previous == null || b >= knownBlocks ? null : previous.poses().block(b);
    }

    /** The block as it was in the tick before, null if it did not exist. */
    @Nullable
    MotionBlock motionBefore(int b) {
        return previous == null || b >= knownBlocks ? null : previous.motion(b);
    }

    /** Whether the body in a slot was spawned in this tick, so that what the tick before has in the slot is not its pose. */
    boolean isSpawnedNow(int slot) {
        int b = slot >>> PoseBlock.SHIFT;
        // A spawn opens the bodies of a block. If they are not open, a reused array may still say otherwise.
        return areBodiesOpen(b) && target.bodyBlock(b).sinceTick[slot & PoseBlock.MASK] == target.tick();
    }

    /** Whether the body data of a block changes in this tick. */
    boolean areBodiesOpen(int b) {
        return anyBodiesOpen && target.bodyBlock(b).changedTick() == target.tick();
    }

    /** Converts a position that was copied from the tick before, which may have another origin, into one relative to this tick's origin. */
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

    /** Prepares a block of which some poses will change: it becomes a copy of the tick before, in which nothing has moved yet. */
    void open(int b) {
        if (!isOpen(b)) {
            MotionBlock before = motionBefore(b);
            PoseBlock posesBefore = posesBefore(b);
            if (before != null
                    && posesBefore != null
                    && before.changedTick() != target.motion(b).changedTick()) {
                target.poses().block(b).copyFrom(posesBefore, 0, PoseBlock.CAPACITY);
            }
            target.motion(b).resetMotion(target.tick());
        }
    }

    /** Prepares a block whose poses will all be written, so that no pose needs to be copied. */
    void openForAll(int b) {
        if (target.layout().channels().isEmpty()) {
            if (!isOpen(b)) {
                target.motion(b).resetMotion(target.tick());
            }
        } else {
            open(b); // channels need to be copied, because only poses will be written
        }
    }

    /** Prepares the body data of a block that will change. */
    BodyBlock openBodies(int b) {
        BodyBlock bodies = target.bodyBlock(b);
        if (!areBodiesOpen(b)) {
            if (previous == null || b >= knownBlocks) {
                bodies.clear();
            } else if (previous.bodyBlock(b).changedTick() != bodies.changedTick()) {
                bodies.copyFrom(previous.bodyBlock(b));
            }
            bodies.changedAt(target.tick());
            anyBodiesOpen = true;
        }
        return bodies;
    }

    /** Makes all blocks that were not opened equal to those of the tick before. */
    void close() {
        for (int b = 0; b < target.poses().blockCount(); b++) {
            if (b >= knownBlocks) {
                open(b);
                openBodies(b);
            } else if (previous != null) {
                keep(b, previous);
            }
        }
    }

    private void keep(int b, Snapshot before) {
        MotionBlock motion = target.motion(b);
        long version = before.motion(b).changedTick();
        if (cameToRest(b, before)) {
            open(b); // with velocities of zero
        } else if (!isOpen(b) && motion.changedTick() != version) {
            target.poses().block(b).copyFrom(before.poses().block(b), 0, PoseBlock.CAPACITY);
            motion.copyFrom(before.motion(b));
        }
        BodyBlock bodies = target.bodyBlock(b);
        if (!areBodiesOpen(b) && bodies.changedTick() != before.bodyBlock(b).changedTick()) {
            bodies.copyFrom(before.bodyBlock(b));
        }
    }

    /** Whether a block moved in the tick before and does not in this one. The scan of velocities comes last, because few blocks need it. */
    private boolean cameToRest(int b, Snapshot before) {
        MotionBlock motion = before.motion(b);
        return target.layout().hasTangents()
                && motion.changedTick() == before.tick()
                && !isOpen(b)
                && (before.bodyBlock(b).changedTick() == before.tick() || motion.hasVelocities());
    }
}
