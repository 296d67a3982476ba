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
        px = new float[room];
        py = new float[room];
        pz = new float[room];
        qx = new float[room];
        qy = new float[room];
        qz = new float[room];
        qw = new float[room];
        channels = new float[channelCount][room];
    }

    PoseBlock(PoseBlock source, int room) {
        px = Arrays.copyOf(source.px, room);
        py = Arrays.copyOf(source.py, room);
        pz = Arrays.copyOf(source.pz, room);
        qx = Arrays.copyOf(source.qx, room);
        qy = Arrays.copyOf(source.qy, room);
        qz = Arrays.copyOf(source.qz, room);
        qw = Arrays.copyOf(source.qw, room);
        channels = source.channels.clone();
        Arrays.setAll(channels, c -> Arrays.copyOf(source.channels[c], room));
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
     * Sets poses to the origin without rotation, and channels to zero.
     *
     * @param first index of the first pose
     * @param end   index after the last one
     */
    public void clear(int first, int end) {
        Arrays.fill(px, first, end, 0);
        Arrays.fill(py, first, end, 0);
        Arrays.fill(pz, first, end, 0);
        Arrays.fill(qx, first, end, 0);
        Arrays.fill(qy, first, end, 0);
        Arrays.fill(qz, first, end, 0);
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
     * @param index  index within both blocks, 0 to {@link #room()} - 1
     * @param before the block with the earlier pose
     * @param turn   takes the rotation vector, three numbers, radians
     */
    public void turnSince(int index, PoseBlock before, double[] turn) {
        double ax = -before.qx[index];
        double ay = -before.qy[index];
        double az = -before.qz[index];
        double aw = before.qw[index];
        double bx = qx[index];
        double by = qy[index];
        double bz = qz[index];
        double bw = qw[index];
        // The rotation from a, the earlier one, to b is b times the inverse of a.
        turn[0] = bw * ax + bx * aw + by * az - bz * ay;
        turn[1] = bw * ay - bx * az + by * aw + bz * ax;
        turn[2] = bw * az + bx * ay - by * ax + bz * aw;
        double cosine = bw * aw - bx * ax - by * ay - bz * az;
        double sine = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
        double scale = sine == 0 ? 0 : 2 * StrictMath.atan2(cosine < 0 ? -sine : sine, Math.abs(cosine)) / sine;
        for (int axis = 0; axis < 3; axis++) {
            turn[axis] *= scale;
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
