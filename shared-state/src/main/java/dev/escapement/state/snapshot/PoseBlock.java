package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * The poses of up to {@value #CAPACITY} bodies: one array per component, one index per body.
 *
 * <p>The arrays are public, because the JIT compiler turns loops over small arrays, without an offset in the index, into vector code.
 * Positions are metres, rotations are unit quaternions (x, y, z, w).
 *
 * <p>Any thread that holds the {@link Snapshot} may read; the physics thread writes.
 *
 * @see PoseBlocks
 */
public final class PoseBlock {

    /** Maximum of bodies in a block. The arrays of a smaller world may be shorter, see {@link #room()}. */
    public static final int CAPACITY = 1024;

    private static final int LEAST_ROOM = 16;

    private static final int COMPONENTS = 7;

    /** Shift that turns a body's slot into the number of its block. */
    public static final int SHIFT = 10;

    /** Mask that turns a body's slot into its index within its block. */
    public static final int MASK = CAPACITY - 1;

    /** Position along x, in metres. */
    public final float[] px;

    /** Position along y, in metres. */
    public final float[] py;

    /** Position along z, in metres. */
    public final float[] pz;

    /** Rotation, the quaternion's x. */
    public final float[] qx;

    /** Rotation, the quaternion's y. */
    public final float[] qy;

    /** Rotation, the quaternion's z. */
    public final float[] qz;

    /** Rotation, the quaternion's w. */
    public final float[] qw;

    /** The channels of the {@link PoseLayout}, by index: one array each. */
    public final float[][] channels;

    /** The seven arrays of position and rotation, in the order above. */
    private final float[][] components;

    /** Creates a block of zeros without channels. */
    public PoseBlock() {
        this(0);
    }

    /**
     * Creates a block of zeros.
     *
     * @param channelCount the number of channels of the {@link PoseLayout}
     */
    public PoseBlock(int channelCount) {
        this(channelCount, CAPACITY);
    }

    PoseBlock(int channelCount, int room) {
        this(new float[COMPONENTS][room], new float[channelCount][room]);
    }

    PoseBlock(PoseBlock source, int room) {
        this(copies(source.components, room), copies(source.channels, room));
    }

    private PoseBlock(float[][] components, float[][] channels) {
        this.components = components;
        px = components[0];
        py = components[1];
        pz = components[2];
        qx = components[3];
        qy = components[4];
        qz = components[5];
        qw = components[6];
        this.channels = channels;
    }

    private static float[][] copies(float[][] arrays, int room) {
        float[][] copies = new float[arrays.length][];
        Arrays.setAll(copies, c -> Arrays.copyOf(arrays[c], room));
        return copies;
    }

    /**
     * {@return the number of bodies for which the first block of a world has room} Small, so that a thousand small worlds fit into the
     * processor's caches.
     *
     * @param slots the number of slots of the world
     */
    static int roomFor(int slots) {
        int powerOfTwo = Integer.highestOneBit(Math.max(1, slots - 1)) << 1;
        return slots >= CAPACITY ? CAPACITY : Math.max(LEAST_ROOM, powerOfTwo);
    }

    /** {@return the room of this block in bodies: the length of each array, at most {@value #CAPACITY}} */
    public int room() {
        return px.length;
    }

    /**
     * Writes one pose, unchecked.
     *
     * @param index index within the block, 0 to {@link #room()} - 1
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
     * Copies poses and channels to the same indices.
     *
     * @param source the block to copy from, with as many channels
     * @param first  index of the first pose
     * @param count  the number of poses
     */
    public void copyFrom(PoseBlock source, int first, int count) {
        copy(source.components, components, first, count);
        copy(source.channels, channels, first, count);
    }

    /**
     * Copies a pose without its channels to the same index.
     *
     * @param source the block to copy from
     * @param index  index of the pose
     */
    public void copyPose(PoseBlock source, int index) {
        copy(source.components, components, index, 1);
    }

    private static void copy(float[][] from, float[][] to, int first, int count) {
        for (int c = 0; c < to.length; c++) {
            System.arraycopy(from[c], first, to[c], first, count);
        }
    }

    /**
     * Sets poses to the origin without rotation, and channels to zero.
     *
     * @param first index of the first pose
     * @param end   index after the last one
     */
    public void clear(int first, int end) {
        for (float[] component : components) {
            Arrays.fill(component, first, end, 0);
        }
        Arrays.fill(qw, first, end, 1); // else a slot without a body would look like a bad rotation
        for (float[] channel : channels) {
            Arrays.fill(channel, first, end, 0);
        }
    }

    /**
     * {@return whether another block has the same position and rotation}
     *
     * @param index index within both blocks, 0 to {@link #room()} - 1
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

    /**
     * Computes the rotation of a body since an earlier pose, the shorter way. The result has the same bits on every machine.
     *
     * @param index    index within both blocks, 0 to {@link #room()} - 1
     * @param before   the block with the earlier pose
     * @param rotation takes the rotation vector, three numbers, radians
     */
    public void rotationSince(int index, PoseBlock before, double[] rotation) {
        double ax = -before.qx[index];
        double ay = -before.qy[index];
        double az = -before.qz[index];
        double aw = before.qw[index];
        double bx = qx[index];
        double by = qy[index];
        double bz = qz[index];
        double bw = qw[index];
        // The rotation from a, the earlier one, to b is b times the inverse of a.
        rotation[0] = bw * ax + bx * aw + by * az - bz * ay;
        rotation[1] = bw * ay - bx * az + by * aw + bz * ax;
        rotation[2] = bw * az + bx * ay - by * ax + bz * aw;
        double cosine = bw * aw - bx * ax - by * ay - bz * az;
        double sine = Math.sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
        double factor = sine == 0 ? 0 : 2 * StrictMath.atan2(cosine < 0 ? -sine : sine, Math.abs(cosine)) / sine;
        for (int axis = 0; axis < 3; axis++) {
            rotation[axis] *= factor;
        }
    }

    /**
     * Rotates a vector by the rotation of a body.
     *
     * @param index  the body's index within the block, 0 to {@link #room()} - 1
     * @param sign   1, or -1 to rotate it back
     * @param vector the vector, three numbers
     */
    public void rotate(int index, int sign, double[] vector) {
        double x = sign * qx[index];
        double y = sign * qy[index];
        double z = sign * qz[index];
        double tx = 2 * (y * vector[2] - z * vector[1]);
        double ty = 2 * (z * vector[0] - x * vector[2]);
        double tz = 2 * (x * vector[1] - y * vector[0]);
        vector[0] += qw[index] * tx + y * tz - z * ty;
        vector[1] += qw[index] * ty + z * tx - x * tz;
        vector[2] += qw[index] * tz + x * ty - y * tx;
    }

    long addTo(long checksum, int slots) {
        long sum = checksum;
        for (float[] component : components) {
            sum = Checksum.add(sum, component, slots);
        }
        for (float[] channel : channels) {
            sum = Checksum.add(sum, channel, slots);
        }
        return sum;
    }
}
