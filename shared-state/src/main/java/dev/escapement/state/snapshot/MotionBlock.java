package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * The motion of a {@link PoseBlock} since the tick before. Readers need it to blend the two ticks; the writer computes it once, instead of
 * every reader in every frame.
 *
 * <p>Not thread-safe: see {@link Snapshot}. Methods that change the block are for the writer.
 *
 * @see Snapshot#motion
 */
public final class MotionBlock {

    /**
     * The value of {@link #turn} for a rotation of 180 degrees. Two quaternions cannot express more, because q and -q are the same rotation
     * and the shorter way counts.
     */
    public static final float HALF_TURN = -1;

    /**
     * Per body, how far it rotated since the tick before: the cosine of the angle between the two quaternions, minus one. That angle is
     * half of the angle by which the body rotated. 0 means no rotation, -1 a rotation of 180 degrees.
     */
    public final float[] turn;

    private final MotionBreaks breaks;
    private long changedTick = Snapshot.NEVER_WRITTEN;
    private float leastTurn;

    MotionBlock(int room) {
        turn = new float[room];
        breaks = new MotionBreaks(room);
    }

    MotionBlock(MotionBlock source, int room) {
        turn = Arrays.copyOf(source.turn, room);
        breaks = source.breaks;
        breaks.grow(room);
        changedTick = source.changedTick;
        leastTurn = source.leastTurn;
    }

    /**
     * {@return the version of the block's poses: the last tick that changed any of them} Blocks of two snapshots with the same version have
     * the same poses.
     */
    public long changedTick() {
        return changedTick;
    }

    /** {@return the least value of {@link #turn} in {@link #changedTick()}: the value of the body that rotated most} */
    public float leastTurn() {
        return leastTurn;
    }

    /** {@return the bodies that readers must blend one by one between the tick before {@link #changedTick()} and that tick} */
    public MotionBreaks breaks() {
        return breaks;
    }

    /**
     * Begins a tick in which nothing has moved yet.
     *
     * @param tick  the tick that changes the block
     * @param slots the number of slots in use of the block
     */
    public void resetMotion(long tick, int slots) {
        changedTick = tick;
        leastTurn = 0;
        breaks.clear();
        clear(0, slots);
    }

    void clear(int first, int end) {
        Arrays.fill(turn, first, end, 0);
    }

    /**
     * Stores the turn of a body.
     *
     * @param index          the body's index within the block
     * @param cosineMinusOne see {@link #turn}
     */
    public void turned(int index, float cosineMinusOne) {
        turn[index] = cosineMinusOne;
        if (cosineMinusOne < leastTurn) {
            leastTurn = cosineMinusOne;
        }
    }

    /**
     * Stores {@link #leastTurn()}. Call it after the whole array {@link #turn} was written.
     *
     * @param least the least value of {@link #turn}
     */
    public void leastTurn(float least) {
        leastTurn = least;
    }

    /**
     * Copies the version, which does not change while nothing moves.
     *
     * @param source the same block of the snapshot before
     * @param known  the number of slots in use of the source
     * @param slots  the number of slots in use of this block; slots that the source lacks are at rest
     */
    public void copyFrom(MotionBlock source, int known, int slots) {
        changedTick = source.changedTick;
        breaks.clear();
        clear(known, slots);
    }

    /**
     * Turns and motion breaks belong to the tick that changed the block; in later ticks they are stale and nobody reads them, so the
     * checksum leaves them out.
     */
    long addTo(long checksum, int slots, long tick) {
        long sum = Checksum.add(checksum, changedTick);
        return changedTick == tick ? breaks.addTo(Checksum.add(sum, turn, slots)) : sum;
    }
}
