package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * How the poses of a {@link PoseBlock} changed since the tick before: what readers need to blend the two, computed once by the writer
 * instead of by every reader in every frame.
 *
 * <p>Not thread-safe: see {@link Snapshot}.
 *
 * @see Snapshot#motion
 */
public final class MotionBlock {

    /** The {@link #turn} of a body that turned by half a turn, the maximum that two quaternions with the nearer signs can express. */
    public static final float HALF_TURN = -1;

    /**
     * Per body, how far it turned since the tick before: the cosine of the angle between the two quaternions (half the angle that the body
     * turned), minus one. From 0, no turn, to -1, half a turn of the body.
     */
    public final float[] turn;

    private final MotionBreaks breaks;
    private long changedTick = Snapshot.NEVER_WRITTEN;
    private float largestTurn;

    MotionBlock(int room) {
        turn = new float[room];
        breaks = new MotionBreaks(room);
    }

    /** Takes the place of another one, with more room. */
    MotionBlock(MotionBlock source, int room) {
        turn = Arrays.copyOf(source.turn, room);
        breaks = source.breaks;
        breaks.grow(room);
        changedTick = source.changedTick;
        largestTurn = source.largestTurn;
    }

    /**
     * {@return the version of the block's poses: the last tick that changed any} Blocks of two snapshots with the same version have the
     * same poses.
     */
    public long changedTick() {
        return changedTick;
    }

    /** {@return the largest turn of a body in {@link #changedTick()}: the least value of {@link #turn}} */
    public float largestTurn() {
        return largestTurn;
    }

    /** {@return the bodies that are not blended like the others between {@link #changedTick()} and the tick before it} */
    public MotionBreaks breaks() {
        return breaks;
    }

    /**
     * Starts to describe a tick in which nothing has moved yet. Writer only.
     *
     * @param tick  the tick that changes the block
     * @param slots how many slots of the block are in use
     */
    public void resetMotion(long tick, int slots) {
        changedTick = tick;
        largestTurn = 0;
        breaks.clear();
        clear(0, slots);
    }

    /** Forgets what slots did, from an index up to before another one. */
    void clear(int first, int end) {
        Arrays.fill(turn, first, end, 0);
    }

    /**
     * Stores how far a body turned. Writer only.
     *
     * @param index          the body's index within the block
     * @param cosineMinusOne see {@link #turn}
     */
    public void turned(int index, float cosineMinusOne) {
        turn[index] = cosineMinusOne;
        if (cosineMinusOne < largestTurn) {
            largestTurn = cosineMinusOne;
        }
    }

    /**
     * Stores the largest turn of all bodies, after all of {@link #turn} was written. Writer only.
     *
     * @param least the least value of {@link #turn}
     */
    public void largestTurn(float least) {
        largestTurn = least;
    }

    /**
     * Copies the version, which does not change while nothing moves. Writer only.
     *
     * @param source the same block of the snapshot before
     * @param known  how many slots of the source are in use
     * @param slots  how many slots of this block are in use: what the source does not have rests
     */
    public void copyFrom(MotionBlock source, int known, int slots) {
        changedTick = source.changedTick;
        breaks.clear();
        clear(known, slots);
    }

    /** Turns and motion breaks belong to the tick that changed the block; in later ticks they are stale and not read. */
    long addTo(long checksum, int slots, long tick) {
        long sum = Checksum.add(checksum, changedTick);
        return changedTick == tick ? breaks.addTo(Checksum.add(sum, turn, slots)) : sum;
    }
}
