package dev.escapement.render.tools;

import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Writes all bodies of a moment as consecutive floats into a direct buffer, to draw them in one call.
 *
 * <p>A body has {@value #FLOATS} floats: position x, y, z, then quaternion x, y, z, w. Bodies are in the order of their slots without gaps;
 * {@link #slot} maps an instance to its body. Each block is blended and written while it is in the processor's cache.
 *
 * <pre>{@code
 * FloatBuffer floats = instances.write(view.interpolator(), cameraX, cameraY, cameraZ);
 * }</pre>
 *
 * <p>One thread. Allocates only when the bodies outgrow its capacity, which then doubles at least.
 */
public final class InstanceBuffer {

    /** The number of floats of a body. */
    public static final int FLOATS = 7;

    private static final int MAX_FLOATS = Integer.MAX_VALUE / Float.BYTES;

    private FloatBuffer floats = allocate(0);

    // Scratch for one block: blended poses, positions relative to the camera, and floats in their final order.
    private PoseBlock scratch = new PoseBlock();
    private final float[] shiftedX = new float[PoseBlock.CAPACITY];
    private final float[] shiftedY = new float[PoseBlock.CAPACITY];
    private final float[] shiftedZ = new float[PoseBlock.CAPACITY];
    private final float[] interleaved = new float[PoseBlock.CAPACITY * FLOATS];

    /** The number of first instances whose slot equals their index, because no slot before them is empty. */
    private int withoutGap;

    /** By instance: its body's slot, for the instances from {@link #withoutGap} on. */
    private int[] slots = {};

    private int count;

    /** Creates an empty buffer. */
    public InstanceBuffer() {}

    /**
     * Replaces the contents.
     *
     * @param moment  the moment to write
     * @param cameraX the camera in the world, metres
     * @param cameraY the camera in the world, metres
     * @param cameraZ the camera in the world, metres
     * @return the buffer, from 0 to its limit; the same one until the bodies outgrow it
     * @throws IllegalArgumentException if the camera is not finite; nothing is written then
     */
    public FloatBuffer write(Interpolator moment, double cameraX, double cameraY, double cameraZ) {
        if (!Double.isFinite(cameraX + cameraY + cameraZ)) {
            throw new IllegalArgumentException(
                    "a camera must be finite, but is at (" + cameraX + ", " + cameraY + ", " + cameraZ + ")");
        }
        Snapshot shown = moment.shown();
        FloatBuffer into = begin(shown.bodies().count());
        int channels = shown.layout().channels().size();
        if (scratch.channels.length != channels) {
            scratch = new PoseBlock(channels);
        }
        double byX = shown.originX() - cameraX;
        double byY = shown.originY() - cameraY;
        double byZ = shown.originZ() - cameraZ;
        for (int b = 0; b < shown.poses().blockCount(); b++) {
            int n = shown.poses().slotsIn(b);
            PoseBlock block = moment.blockOrBlendInto(b, scratch);
            float[] x = shift(block.px, byX, shiftedX, n);
            float[] y = shift(block.py, byY, shiftedY, n);
            float[] z = shift(block.pz, byZ, shiftedZ, n);
            interleave(x, y, z, block, n);
            put(into, closeGaps(shown.bodyBlock(b), b, n));
        }
        return into;
    }

    /**
     * Replaces the contents with unblended poses; every slot counts as a body.
     *
     * @param poses the poses to write
     * @return the buffer, from 0 to its limit; the same one until the bodies outgrow it
     */
    public FloatBuffer write(PoseBlocks poses) {
        FloatBuffer into = begin(poses.slotCount());
        for (int b = 0; b < poses.blockCount(); b++) {
            PoseBlock block = poses.block(b);
            int n = poses.slotsIn(b);
            interleave(block.px, block.py, block.pz, block, n);
            put(into, setSlots(b, n));
        }
        return into;
    }

    /**
     * {@return the slot of the body of an instance}
     *
     * @param instance its index in the buffer, from 0
     * @throws IndexOutOfBoundsException if there is no such instance
     */
    public int slot(int instance) {
        if (instance < 0 || instance >= count) {
            throw new IndexOutOfBoundsException("there is no instance " + instance + " of " + count);
        }
        return instance < withoutGap ? instance : slots[instance];
    }

    private FloatBuffer begin(int bodies) {
        int needed = Math.multiplyExact(bodies, FLOATS);
        if (floats.capacity() < needed) {
            // The capacity at least doubles: otherwise a world that gains a body per frame would leave a direct buffer
            // per frame as garbage.
            floats = allocate(Math.max(needed, (int) Math.min(MAX_FLOATS, 2L * floats.capacity())));
        }
        count = 0;
        withoutGap = 0;
        if (slots.length < bodies) {
            slots = new int[Math.max(bodies, 2 * slots.length)]; // an overflow is negative, so max ignores it
        }
        return floats.clear().limit(needed);
    }

    private static FloatBuffer allocate(int count) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(count, Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /**
     * Converts positions relative to a snapshot's origin into positions relative to a camera. The shift is split into two floats: adding
     * the large one gives a small exact difference near the camera, where precision matters. The error is within one unit in the last
     * place.
     */
    private static float[] shift(float[] positions, double by, float[] out, int n) {
        if (by == 0) {
            return positions;
        }
        float large = (float) by;
        float small = (float) (by - large);
        for (int i = 0; i < n; i++) {
            out[i] = positions[i] + large + small;
        }
        return out;
    }

    /** Writes positions, and the rotations of the first {@code n} slots of a block, one body after the other. */
    private void interleave(float[] x, float[] y, float[] z, PoseBlock p, int n) {
        float[] out = interleaved;
        for (int i = 0; i < n; i++) {
            int at = FLOATS * i;
            out[at] = x[i];
            out[at + 1] = y[i];
            out[at + 2] = z[i];
        }
        float[] qx = p.qx;
        float[] qy = p.qy;
        float[] qz = p.qz;
        float[] qw = p.qw;
        // Two loops, because a single one with all fourteen addresses takes 50 % longer.
        for (int i = 0; i < n; i++) {
            int at = FLOATS * i;
            out[at + 3] = qx[i];
            out[at + 4] = qy[i];
            out[at + 5] = qz[i];
            out[at + 6] = qw[i];
        }
    }

    /** Closes the gaps that empty slots leave between the bodies of a block. Returns the number of bodies. */
    private int closeGaps(BodyBlock bodies, int b, int n) {
        if (bodies.liveCount() == n) {
            return setSlots(b, n);
        }
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (BodyId.isLive(bodies.generation[i])) {
                System.arraycopy(interleaved, i * FLOATS, interleaved, kept * FLOATS, FLOATS);
                slots[count + kept] = (b << PoseBlock.SHIFT) + i;
                kept++;
            }
        }
        return kept;
    }

    /** Maps the next {@code n} instances to the slots of a block in which all slots have bodies. Returns {@code n}. */
    private int setSlots(int b, int n) {
        int first = b << PoseBlock.SHIFT;
        if (count == first) {
            withoutGap = first + n;
        } else {
            for (int i = 0; i < n; i++) {
                slots[count + i] = first + i;
            }
        }
        return n;
    }

    private void put(FloatBuffer into, int bodies) {
        into.put(count * FLOATS, interleaved, 0, bodies * FLOATS);
        count += bodies;
    }
}
