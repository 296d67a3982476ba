package dev.escapement.state.snapshot;

/**
 * The world at one tick, for reading only.
 *
 * <p><b>Threads.</b> Not thread-safe; the exchange decides which thread may use it. The physics thread writes a {@link WritableSnapshot}
 * between {@code nextSnapshot} and {@code publish}; then readers that hold it in a window read it. Keep no reference beyond the window:
 * the writer reuses the snapshot.
 */
public sealed class Snapshot permits WritableSnapshot {

    /** The tick of a snapshot that was never written. */
    public static final long NEVER_WRITTEN = Long.MIN_VALUE;

    /** Largest number of blocks that a checksum covers completely. */
    public static final int WHOLE_BLOCKS = 98;

    /** The checksum of a snapshot with more than {@link #WHOLE_BLOCKS} blocks covers one block in this many. */
    public static final int SHARES = 64;

    private final PoseLayout layout;
    private final PoseBlocks poses;
    private final Bodies bodies = new Bodies(this);

    MotionBlock[] motion = {};
    BodyBlock[] bodyBlocks = {};
    double originX;
    double originY;
    double originZ;
    long tick = NEVER_WRITTEN;
    long simulationTick = NEVER_WRITTEN;
    long dueNanos;
    long publishedNanos;
    long inputsTaken;
    boolean predicted;
    boolean stepped = true;
    long checksum;

    /**
     * Creates the snapshot of an empty world, which stays empty.
     *
     * @param layout the components of a pose
     */
    public Snapshot(PoseLayout layout) {
        this.layout = layout;
        poses = new PoseBlocks(0, layout);
    }

    /** {@return the tick of this snapshot, a consecutive number} */
    public long tick() {
        return tick;
    }

    /**
     * {@return the simulation's own tick: the number of its last step} It goes back with the simulation's state, and stays while time
     * stands still and commands change bodies; {@link #tick()} always grows by one. In a remote world it is {@link #tick()}.
     */
    public long simulationTick() {
        return simulationTick;
    }

    /** {@return when the tick was due, which is also its sampling time, an instant of the clock} */
    public long dueNanos() {
        return dueNanos;
    }

    /**
     * Counts the events that ticks had taken out of the input ring when this tick sampled. The snapshot includes each event whose
     * sequence is less than this count and whose stamp is not after
     * {@link #dueNanos()}. It excludes events dropped while time stood still.
     *
     * <pre>{@code
     * ring.offer(stampNanos, KEY_DOWN, KEY_W, 0, 0);
     * long accepted = ring.accepted();
     * // later, of a snapshot
     * boolean included = snapshot.inputsTaken() >= accepted && snapshot.dueNanos() - stampNanos >= 0;
     * }</pre>
     *
     * @return events since the start of the service; 0 in a run that repeats a source log, because its ticks get no offered input
     */
    public long inputsTaken() {
        return inputsTaken;
    }

    /** {@return whether a step made this snapshot; false if commands made it while time stood still} True in a remote world. */
    public boolean isStepped() {
        return stepped;
    }

    /** {@return whether poses were predicted, because poses of a remote world did not arrive in time} */
    public boolean isPredicted() {
        return predicted;
    }

    /** {@return when the snapshot was published: an instant of the clock, read right before the handoff} */
    public long publishedNanos() {
        return publishedNanos;
    }

    /** {@return the poses of all bodies themselves, not a copy} */
    public PoseBlocks poses() {
        return poses;
    }

    /** {@return the bodies, a view of this snapshot} */
    public Bodies bodies() {
        return bodies;
    }

    /**
     * {@return the motion of a block since the tick before; the block itself, not a copy}
     *
     * @param index 0 to {@code poses().blockCount()} - 1
     */
    public MotionBlock motion(int index) {
        return motion[index];
    }

    /**
     * {@return the bodies in the slots of a block; the block itself, not a copy}
     *
     * @param index 0 to {@code poses().blockCount()} - 1
     */
    public BodyBlock bodyBlock(int index) {
        return bodyBlocks[index];
    }

    /** {@return the components of a pose, the same for all snapshots of an exchange} */
    public PoseLayout layout() {
        return layout;
    }

    /** {@return x of the origin of positions, metres in the world} */
    public double originX() {
        return originX;
    }

    /** {@return y of the origin of positions, metres in the world} */
    public double originY() {
        return originY;
    }

    /** {@return z of the origin of positions, metres in the world} */
    public double originZ() {
        return originZ;
    }

    /** {@return the checksum stored by {@link WritableSnapshot#seal()}, 0 if the snapshot was not sealed} */
    public long checksum() {
        return checksum;
    }

    /**
     * Computes the checksum of the contents, a polynomial over the raw bits. A reader that computes another one than the stored one has
     * seen a torn snapshot. More than {@value #WHOLE_BLOCKS} blocks (about 100,000 bodies) would take longer than a tick; then the checksum
     * covers one block in {@value #SHARES}, different ones in each tick.
     *
     * @return the checksum, never 0
     */
    public long computeChecksum() {
        long sum = Checksum.add(tick, originX);
        sum = Checksum.add(sum, originY);
        sum = Checksum.add(sum, originZ);
        int shares = poses.blockCount() > WHOLE_BLOCKS ? SHARES : 1;
        for (int b = Math.floorMod(tick, shares); b < poses.blockCount(); b += shares) {
            int slots = poses.slotsIn(b);
            sum = poses.block(b).addTo(sum, slots);
            sum = motion[b].addTo(sum, slots, tick);
            sum = bodyBlocks[b].addTo(sum, slots);
        }
        return sum == 0 ? 1 : sum;
    }

    @Override
    public String toString() {
        return "Snapshot[tick " + tick + ", " + bodies.count() + " bodies]";
    }
}
