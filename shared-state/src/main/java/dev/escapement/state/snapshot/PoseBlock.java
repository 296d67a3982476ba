package dev.escapement.state.snapshot;

/**
 * The poses of up to {@value #CAPACITY} bodies, one array per component, the same index everywhere.
 *
 * <p>The fields are public plain arrays, because the JIT compiler turns loops over small arrays, without an offset in the index, into
 * vector code. Positions are metres, rotations are unit quaternions (x, y, z, w).
 *
 * <p>Any thread that holds the {@link Snapshot} may read; the physics thread writes.
 *
 * @see PoseBlocks
 */
public final class PoseBlock {

    /** Bodies in a block. */
    public static final int CAPACITY = 1024;

    /** Shift that turns a body's slot into the number of its block. */
    public static final int SHIFT = 10;

    /** Mask that turns a body's slot into its index within its block. */
    public static final int MASK = CAPACITY - 1;

    /** Position along x, in metres. */
    public final float[] px = new float[CAPACITY];

    /** Position along y, in metres. */
    public final float[] py = new float[CAPACITY];

    /** Position along z, in metres. */
    public final float[] pz = new float[CAPACITY];

    /** Rotation, the quaternion's x. */
    public final float[] qx = new float[CAPACITY];

    /** Rotation, the quaternion's y. */
    public final float[] qy = new float[CAPACITY];

    /** Rotation, the quaternion's z. */
    public final float[] qz = new float[CAPACITY];

    /** Rotation, the quaternion's w. */
    public final float[] qw = new float[CAPACITY];

    /** The channels of the {@link PoseLayout}, by index: one array each. */
    public final float[][] channels;

    /** Creates a block of zeros without channels. */
    public PoseBlock() {
        this(0);
    }

    /**
     * Creates a block of zeros.
     *
     * @param channelCount how many channels the {@link PoseLayout} has
     */
    public PoseBlock(int channelCount) {
        channels = new float[channelCount][CAPACITY];
    }

    /**
     * Writes one pose, unchecked.
     *
     * @param index index within the block, 0 to {@value #CAPACITY} - 1
     * @param x     position, metres
     * @param y     position, metres
     * @param z     position, metres
     * @param rx    rotation, quaternion x
     * @param ry    rotation, quaternion y
     * @param rz    rotation, quaternion z
     * @param rw    rotation, quaternion w
     */
    public void set(int index, float x, float y, float z, float rx, float ry, float rz, float rw) {
        px[index] = x;
        py[index] = y;
        pz[index] = z;
        qx[index] = rx;
        qy[index] = ry;
        qz[index] = rz;
        qw[index] = rw;
    }

    /**
     * Copies poses and channels to the same places.
     *
     * @param source the block to copy from, with as many channels
     * @param first  index of the first pose
     * @param count  how many
     */
    public void copyFrom(PoseBlock source, int first, int count) {
        System.arraycopy(source.px, first, px, first, count);
        System.arraycopy(source.py, first, py, first, count);
        System.arraycopy(source.pz, first, pz, first, count);
        System.arraycopy(source.qx, first, qx, first, count);
        System.arraycopy(source.qy, first, qy, first, count);
        System.arraycopy(source.qz, first, qz, first, count);
        System.arraycopy(source.qw, first, qw, first, count);
        for (int c = 0; c < channels.length; c++) {
            System.arraycopy(source.channels[c], first, channels[c], first, count);
        }
    }

    /**
     * {@return whether another block has the same position and rotation}
     *
     * @param index index within both blocks, 0 to {@value #CAPACITY} - 1
     * @param other the other block
     */
    public boolean hasSamePose(int index, PoseBlock other) {
        return px[index] == other.px[index]
                && py[index] == other.py[index]
                && pz[index] == other.pz[index]
                && qx[index] == other.qx[index]
                && qy[index] == other.qy[index]
                && qz[index] == other.qz[index]
                && qw[index] == other.qw[index];
    }

    long addTo(long checksum, int slots) {
        long sum = checksum;
        sum = Checksum.add(sum, px, slots);
        sum = Checksum.add(sum, py, slots);
        sum = Checksum.add(sum, pz, slots);
        sum = Checksum.add(sum, qx, slots);
        sum = Checksum.add(sum, qy, slots);
        sum = Checksum.add(sum, qz, slots);
        sum = Checksum.add(sum, qw, slots);
        for (float[] channel : channels) {
            sum = Checksum.add(sum, channel, slots);
        }
        return sum;
    }
}
