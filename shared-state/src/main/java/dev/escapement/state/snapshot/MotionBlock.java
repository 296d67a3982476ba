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

    private static final int KEPT_TICKS = 8;

    /** The corrections of a block that never had any, as in most worlds. Stays empty. */
    private static final MotionBreaks NO_CORRECTIONS = new MotionBreaks(PoseBlock.CAPACITY);

    private final MotionBreaks breaks;
    private MotionBreaks corrections = NO_CORRECTIONS;
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
        corrections = source.corrections;
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
     * {@return the corrections of {@link #changedTick()} and of the {@value #KEPT_TICKS} ticks before, in the order of their ticks}
     * Readers whose window lacks these ticks need them, unless the motion of a body was broken since.
     */
    public MotionBreaks corrections() {
        return corrections;
    }

    /**
     * Adds a correction to {@link #breaks()} and {@link #corrections()}.
     *
     * @param kind  {@link MotionBreaks.Kind#CORRECTED} or {@link MotionBreaks.Kind#CORRECTED_TURN}
     * @param index the body's index within the block
     * @param x     see {@link MotionBreaks.Kind}
     * @param y     see {@link MotionBreaks.Kind}
     * @param z     see {@link MotionBreaks.Kind}
     */
    public void correct(MotionBreaks.Kind kind, int index, float x, float y, float z) {
        breaks.add(kind, index, x, y, z);
        ownCorrections().add(kind, index, x, y, z, changedTick);
    }

    private MotionBreaks ownCorrections() {
        if (corrections == NO_CORRECTIONS) {
            corrections = new MotionBreaks(PoseBlock.CAPACITY);
        }
        return corrections;
    }

    /**
     * Keeps the corrections of the ticks before.
     *
     * @param before the same block of the snapshot before
     */
    public void keepCorrections(MotionBlock before) {
        if (before.corrections.count > 0) { // rare
            ownCorrections().keep(before.corrections, before.breaks, changedTick - KEPT_TICKS);
        } else {
            forget(corrections);
        }
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
        forget(breaks);
        forget(corrections);
        clear(0, slots);
    }

    /** Most blocks have no motion breaks: then a tick enters no class of theirs. */
    private static void forget(MotionBreaks old) {
        if (old.count > 0) {
            old.clear();
        }
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
        keepCorrections(source);
        forget(breaks);
        clear(known, slots);
    }

    /**
     * Turns and motion breaks belong to the tick that changed the block. In later ticks copies of the block may lack them, so the checksum
     * omits them.
     */
    long addTo(long checksum, int slots, long tick) {
        long sum = Checksum.add(checksum, changedTick);
        return changedTick == tick ? breaks.addTo(Checksum.add(sum, turn, slots)) : sum;
    }
}
