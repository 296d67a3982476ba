package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * A snapshot on the side of the thread that writes it, which fills it tick after tick. Readers get it as a {@link Snapshot}.
 *
 * <p>Only the writing thread calls these methods, and only while no reader can see the snapshot.
 *
 * @see dev.escapement.state.exchange.SnapshotWriter#nextSnapshot
 */
public final class WritableSnapshot extends Snapshot {

    /**
     * Creates an empty snapshot.
     *
     * @param preallocatedBodies how many bodies fit before anything is allocated
     * @param layout             what a pose consists of
     */
    public WritableSnapshot(int preallocatedBodies, PoseLayout layout) {
        super(layout);
        reserve(preallocatedBodies);
    }

    /**
     * Starts to describe a new tick.
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
     * Sets the number of the tick by the count of the simulation, if that has gone back.
     *
     * @param newTick the number
     */
    public void simulationTick(long newTick) {
        simulationTick = newTick;
    }

    /**
     * Sets which input had arrived.
     *
     * @param count how many events had been taken out of the input ring when the tick sampled
     */
    public void inputsTaken(long count) {
        inputsTaken = count;
    }

    /** Marks the snapshot as one that no step made. */
    public void markUnstepped() {
        stepped = false;
    }

    /** Marks the snapshot as predicted in part. */
    public void markPredicted() {
        predicted = true;
    }

    /**
     * Makes room for a number of slots, with their contents as they are.
     *
     * @param slots how many there will be
     * @return how many blocks had to be added, or replaced by a larger one
     * @throws IllegalArgumentException if negative
     */
    public int reserve(int slots) {
        poses().ensureRoom(slots);
        int known = motion.length;
        int needed = (slots + PoseBlock.MASK) >>> PoseBlock.SHIFT;
        int room = PoseBlock.roomFor(slots);
        int grown = 0;
        if (known > 0 && motion[0].turn.length < room) {
            motion[0] = new MotionBlock(motion[0], room);
            bodyBlocks[0] = new BodyBlock(bodyBlocks[0], room);
            grown++;
        }
        if (needed > known) {
            motion = Arrays.copyOf(motion, needed);
            bodyBlocks = Arrays.copyOf(bodyBlocks, needed);
            for (int b = known; b < needed; b++) {
                motion[b] = new MotionBlock(poses().block(b).room());
                bodyBlocks[b] = new BodyBlock(poses().block(b).room());
                grown++;
            }
        }
        return grown;
    }

    /**
     * Changes the number of slots, growing where needed. Slots that are added are at the origin, and have not moved.
     *
     * @param slots how many there are from now on
     * @throws IllegalArgumentException if negative
     */
    public void resize(int slots) {
        int before = poses().slotCount();
        if (slots > before) { // else there is room: this is called several times a tick
            reserve(slots);
        }
        poses().resize(slots);
        for (int first = before; first < slots; first = (first | PoseBlock.MASK) + 1) { // what is left of each block
            int b = first >>> PoseBlock.SHIFT;
            int end = poses().slotsIn(b);
            poses().block(b).clear(first & PoseBlock.MASK, end);
            motion[b].clear(first & PoseBlock.MASK, end);
        }
    }

    /**
     * Sets the point that positions are measured from.
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

    /** Stores the {@link #computeChecksum() checksum} of what was written. */
    public void seal() {
        checksum = computeChecksum();
    }
}
