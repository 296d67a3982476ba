package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Brings a reused snapshot up to the tick before, block by block and only as far as needed. Its blocks hold what some
 * earlier tick left; each says which tick changed it last, and two blocks that say the same are the same.
 */
final class ChangedBlocks {

    private Snapshot target;
    private @Nullable Snapshot previous;
    private int knownBlocks;

    ChangedBlocks(Snapshot nothing) {
        target = nothing;
    }

    /** Starts to write a snapshot that follows the previous one. */
    void startTick(Snapshot newTarget, @Nullable Snapshot newPrevious) {
        target = newTarget;
        previous = newPrevious;
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

    boolean isOpen(int b) {
        return target.motion(b).changedTick() == target.tick();
    }

    /** Some poses of a block are about to change: from now on it is as in the tick before, with nothing having moved. */
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

    /** Everything in a block is about to be written, so that nothing has to be copied before. */
    void openForAll(int b) {
        if (target.layout().channels().isEmpty()) {
            if (!isOpen(b)) {
                target.motion(b).resetMotion(target.tick());
            }
        } else {
            open(b); // channels are not part of what will be written
        }
    }

    /** The bodies of a block are about to change. */
    BodyBlock openBodies(int b) {
        BodyBlock bodies = target.bodyBlock(b);
        if (bodies.changedTick() != target.tick()) {
            if (previous == null || b >= knownBlocks) {
                bodies.clear();
            } else if (previous.bodyBlock(b).changedTick() != bodies.changedTick()) {
                bodies.copyFrom(previous.bodyBlock(b));
            }
            bodies.changedAt(target.tick());
        }
        return bodies;
    }

    /** What was not opened is as in the tick before. */
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
        if (bodies.changedTick() != target.tick()
                && bodies.changedTick() != before.bodyBlock(b).changedTick()) {
            bodies.copyFrom(before.bodyBlock(b));
        }
    }

    /** Whether a block moved in the tick before and does not in this one. The scan comes last: hardly a block gets there. */
    private boolean cameToRest(int b, Snapshot before) {
        MotionBlock motion = before.motion(b);
        return target.layout().hasTangents()
                && motion.changedTick() == before.tick()
                && !isOpen(b)
                && (before.bodyBlock(b).changedTick() == before.tick() || motion.hasVelocities());
    }
}
