package dev.escapement.state.snapshot;

/**
 * The world at one tick.
 *
 * <p><b>Threads.</b> Not thread-safe; the exchange says who owns one. The physics thread writes a snapshot between
 * {@code begin} and {@code publish}; from then on readers that hold it in a window may only read. Keeping a reference
 * beyond the window is the caller's error: the snapshot will be written again.
 */
public final class Snapshot {

    /** The tick of a snapshot that describes none yet. */
    public static final long NEVER_WRITTEN = Long.MIN_VALUE;

    private final PoseBlocks poses;
    private long tick = NEVER_WRITTEN;
    private long dueNanos;
    private long publishedNanos;
    private long checksum;

    /**
     * Creates an empty snapshot.
     *
     * @param preallocatedBodies how many bodies fit before anything is allocated
     */
    public Snapshot(int preallocatedBodies) {
        poses = new PoseBlocks(preallocatedBodies);
    }

    /**
     * Starts to describe a new tick. Only the physics thread may call this.
     *
     * @param newTick     the number of the tick
     * @param newDueNanos when it was due, an instant of the clock
     */
    public void begin(long newTick, long newDueNanos) {
        tick = newTick;
        dueNanos = newDueNanos;
        checksum = 0;
    }

    /**
     * Notes when the snapshot is handed over. Only the exchange calls this.
     *
     * @param nanos an instant of the clock
     */
    public void publishedAt(long nanos) {
        publishedNanos = nanos;
    }

    /** Stores the {@link #computeChecksum() checksum} of what was written. Only the physics thread may call this. */
    public void seal() {
        checksum = computeChecksum();
    }

    /**
     * The tick this snapshot describes.
     *
     * @return a consecutive number, 1 for the first
     */
    public long tick() {
        return tick;
    }

    /**
     * When the tick was due, which is also its sampling time.
     *
     * @return an instant of the clock
     */
    public long dueNanos() {
        return dueNanos;
    }

    /**
     * When the snapshot was handed to the readers.
     *
     * @return an instant of the clock
     */
    public long publishedNanos() {
        return publishedNanos;
    }

    /**
     * The poses of all bodies.
     *
     * @return the poses themselves, not a copy
     */
    public PoseBlocks poses() {
        return poses;
    }

    /**
     * The checksum stored by {@link #seal()}.
     *
     * @return the checksum, 0 if the snapshot was not sealed
     */
    public long checksum() {
        return checksum;
    }

    /**
     * Computes the checksum of the tick's number and of every float, a polynomial over their raw bits. A reader that
     * computes another one than was stored has seen a torn snapshot.
     *
     * @return the checksum, never 0
     */
    public long computeChecksum() {
        long sum = tick;
        for (int b = 0; b < poses.blockCount(); b++) {
            PoseBlock block = poses.block(b);
            int bodies = poses.bodiesIn(b);
            sum = mix(sum, block.px, bodies);
            sum = mix(sum, block.py, bodies);
            sum = mix(sum, block.pz, bodies);
            sum = mix(sum, block.qx, bodies);
            sum = mix(sum, block.qy, bodies);
            sum = mix(sum, block.qz, bodies);
            sum = mix(sum, block.qw, bodies);
        }
        return sum == 0 ? 1 : sum;
    }

    private static long mix(long seed, float[] values, int length) {
        long sum = seed;
        for (int i = 0; i < length; i++) {
            sum = sum * 0x9E3779B97F4A7C15L + Float.floatToRawIntBits(values[i]); // an odd factor loses no bit
        }
        return sum;
    }

    @Override
    public String toString() {
        return "Snapshot[tick " + tick + ", " + poses.bodyCount() + " bodies]";
    }
}
