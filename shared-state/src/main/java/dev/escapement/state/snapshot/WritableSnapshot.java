package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * A snapshot as its writing thread sees it. Readers get it as a {@link Snapshot}.
 *
 * <p>Only the writing thread calls these methods, and only while no reader can see the snapshot.
 */
public final class WritableSnapshot extends Snapshot {

    /**
     * Creates an empty snapshot.
     *
     * @param preallocatedBodies the number of bodies that fit without further allocation
     * @param layout             the components of a pose
     */
    public WritableSnapshot(int preallocatedBodies, PoseLayout layout) {
        super(layout);
        ensureRoom(preallocatedBodies);
    }

    /**
     * Begins a tick.
     *
     * @param newTick     the number of the tick
     * @param newDueNanos when it was due, an instant of the clock
     */
    public void startTick(long newTick, long newDueNanos) {
        tick = newTick;
        simulationTick = newTick;
        dueNanos = newDueNanos;
        inputsTaken = 0;
        predicted = false;
        stepped = true;
        checksum = 0;
    }

    /**
     * Sets {@link Snapshot#simulationTick()}, where it differs from the tick.
     *
     * @param newTick the number
     */
    public void simulationTick(long newTick) {
        simulationTick = newTick;
    }

    /**
     * Sets {@link Snapshot#inputsTaken}.
     *
     * @param count the events taken out of the input ring when the tick sampled
     */
    public void inputsTaken(long count) {
        inputsTaken = count;
    }

    /** Marks the snapshot as one that no step made. */
    public void markUnstepped() {
        stepped = false;
    }

    /** Marks the snapshot as one with predicted poses. */
    public void markPredicted() {
        predicted = true;
    }

    /**
     * Makes room for a number of slots, and keeps their contents.
     *
     * @param slots the number of slots that must fit
     * @throws IllegalArgumentException if negative
     */
    public void ensureRoom(int slots) {
        poses().ensureRoom(slots);
        int blocks = motion.length;
        int needed = (slots + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        int room = PoseBlock.roomFor(slots);
        if (blocks > 0 && motion[0].turn.length < room) {
            motion[0] = new MotionBlock(motion[0], room);
            bodyBlocks[0] = new BodyBlock(bodyBlocks[0], room);
        }
        if (needed > blocks) {
            motion = Arrays.copyOf(motion, needed);
            bodyBlocks = Arrays.copyOf(bodyBlocks, needed);
            for (int b = blocks; b < needed; b++) {
                motion[b] = new MotionBlock(poses().block(b).room());
                bodyBlocks[b] = new BodyBlock(poses().block(b).room());
            }
        }
    }

    /** Makes all blocks differ from those of every other snapshot, so that the next capture into this one copies each block. */
    public void forgetBlocks() {
        for (int b = 0; b < motion.length; b++) {
            motion[b].resetMotion(NEVER_WRITTEN, 0);
            bodyBlocks[b].changedAt(NEVER_WRITTEN);
        }
    }

    /**
     * Sets the number of slots. Grows where needed. New slots are at the origin, and have not moved.
     *
     * @param slots the new number
     * @throws IllegalArgumentException if negative
     */
    public void resize(int slots) {
        int before = poses().slotCount();
        if (slots > before) { // else there is room; the check saves time, because a tick calls this several times
            ensureRoom(slots);
        }
        poses().resize(slots);
        for (int first = before; first < slots; first = (first | PoseBlock.MASK) + 1) { // the new slots of each block
            int b = first >>> PoseBlock.SHIFT;
            int end = poses().slotsIn(b);
            poses().block(b).clear(first & PoseBlock.MASK, end);
            motion[b].clear(first & PoseBlock.MASK, end);
        }
    }

    /**
     * Sets the origin of positions.
     *
     * @param x metres in the world
     * @param y metres in the world
     * @param z metres in the world
     */
    public void origin(double x, double y, double z) {
        originX = x;
        originY = y;
        originZ = z;
    }

    /**
     * Sets when the snapshot is published. The exchange calls this.
     *
     * @param nanos an instant of the clock
     */
    public void publishedAt(long nanos) {
        publishedNanos = nanos;
    }

    /** Stores the {@link #computeChecksum() checksum} of the contents. */
    public void seal() {
        checksum = computeChecksum();
    }
}
