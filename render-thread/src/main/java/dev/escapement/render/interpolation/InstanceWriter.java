package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Writes all bodies of a moment as consecutive floats, to draw them in one call. Bodies are in the order of their slots without gaps;
 * {@link #slot} maps an instance to its body. Each block is blended and written while it is in the processor's cache.
 *
 * <pre>{@code
 * InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
 * int bodies = writer.write(view.interpolator(), cameraX, cameraY, cameraZ, buffer);
 * }</pre>
 *
 * <p>One thread. Allocates only when there are more bodies than it has room for, and then room for twice as many.
 */
public final class InstanceWriter {

    private static final Interpolator NOTHING = new Interpolator(Interpolation.DEFAULT);

    private final InstanceFormat format;

    // A block blended, shifted and interleaved, while it is in the processor's cache.
    private final float[] interleaved;
    private final CameraShift shift = new CameraShift();
    private PoseBlock scratch = new PoseBlock();

    private Interpolator moment = NOTHING;
    /** Per block: the instance of its first body. After the last block: the number of instances. */
    private int[] firstInstances = {0};

    private int blockCount;
    private int slotCount;

    /** Per instance of a block with gaps: its slot. Those of other blocks follow from the block's first instance. */
    private int[] slots = {};

    private int count;

    /**
     * Creates a writer.
     *
     * @param format the floats to write per body
     */
    public InstanceWriter(InstanceFormat format) {
        this.format = format;
        interleaved = format.newBlock();
    }

    /**
     * Writes all bodies, relative to a camera, from the buffer's position on. Does not change position and limit.
     *
     * @param world the moment to write
     * @param x     the camera in the world, metres
     * @param y     the camera in the world, metres
     * @param z     the camera in the world, metres
     * @param into  a direct buffer in native order
     * @return how many bodies were written
     * @throws IllegalArgumentException if the buffer is too small, read-only, not direct or in another order, or the camera
     *                                  is not finite; nothing is written then
     */
    public int write(Interpolator world, double x, double y, double z, FloatBuffer into) {
        if (into.isReadOnly() || !into.isDirect() || into.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(
                    "instances need a direct, writable buffer in native order, but this one is "
                            + (into.isDirect() ? "direct, " : "not direct, ")
                            + (into.isReadOnly() ? "read-only, " : "writable, ")
                            + "in order " + into.order());
        }
        begin(world, x, y, z, into.remaining());
        for (int b = 0; b < blockCount; b++) {
            int floats = interleave(b);
            into.put(into.position() + firstInstances[b] * format.floats(), interleaved, 0, floats);
        }
        return count;
    }

    /**
     * Writes all bodies, relative to a camera.
     *
     * @param world the moment to write
     * @param x     the camera in the world, metres
     * @param y     the camera in the world, metres
     * @param z     the camera in the world, metres
     * @param into  the array, written from its start
     * @return how many bodies were written
     * @throws IllegalArgumentException if the array is too short or the camera is not finite; nothing is written then
     */
    public int write(Interpolator world, double x, double y, double z, float[] into) {
        begin(world, x, y, z, into.length);
        for (int b = 0; b < blockCount; b++) {
            int floats = interleave(b);
            System.arraycopy(interleaved, 0, into, firstInstances[b] * format.floats(), floats);
        }
        return count;
    }

    /** Writes every slot of unblended poses. */
    void write(PoseBlocks poses, FloatBuffer into) {
        shift.none();
        begin(poses.slotCount(), poses);
        for (int b = 0; b < poses.blockCount(); b++) {
            int n = poses.slotsIn(b);
            int first = b << PoseBlock.SHIFT;
            format.interleave(poses.block(b), shift, interleaved, n);
            firstInstances[b + 1] = first + n;
            into.put(into.position() + first * format.floats(), interleaved, 0, n * format.floats());
        }
    }

    int floats() {
        return format.floats();
    }

    /**
     * The body of an instance.
     *
     * @param instance 0 to the number of bodies written last - 1
     * @return the body's slot
     * @throws IndexOutOfBoundsException if there is no such instance
     */
    public int slot(int instance) {
        if (instance < 0 || instance >= count) {
            throw new IndexOutOfBoundsException("there is no instance " + instance + " of " + count);
        }
        int found = Arrays.binarySearch(firstInstances, 0, blockCount, instance);
        int b = found >= 0 ? found : -found - 2;
        while (firstInstances[b + 1] == instance) {
            b++; // a block without bodies
        }
        boolean full = firstInstances[b + 1] - firstInstances[b]
                == Math.min(PoseBlock.CAPACITY, slotCount - (b << PoseBlock.SHIFT));
        return full ? (b << PoseBlock.SHIFT) + instance - firstInstances[b] : slots[instance];
    }

    /**
     * How many floats a moment takes.
     *
     * @param world the moment to write
     * @return its bodies times the floats of the format
     */
    public int floatsFor(Interpolator world) {
        return Math.multiplyExact(world.bodies().count(), format.floats());
    }

    private void begin(Interpolator world, double x, double y, double z, int room) {
        Snapshot shown = world.shown();
        int bodies = shown.bodies().count();
        if ((long) bodies * format.floats() > room) {
            throw new IllegalArgumentException(bodies + " bodies in format " + format + " need "
                    + (long) bodies * format.floats() + " floats, but there is room for " + room);
        }
        if (!Double.isFinite(x + y + z)) {
            throw new IllegalArgumentException("a camera must be finite, but is at (" + x + ", " + y + ", " + z + ")");
        }
        moment = world;
        shift.set(shown, x, y, z);
        if (scratch.channels.length != shown.layout().channels().size()) {
            scratch = world.newBlock();
        }
        begin(bodies, shown.poses());
        for (int b = 0; b < blockCount; b++) {
            firstInstances[b + 1] = firstInstances[b] + shown.bodyBlock(b).liveCount();
        }
    }

    private void begin(int bodies, PoseBlocks poses) {
        count = bodies;
        slotCount = poses.slotCount();
        blockCount = poses.blockCount();
        if (firstInstances.length <= blockCount) {
            firstInstances = new int[Math.max(blockCount + 1, 2 * firstInstances.length)];
        }
        if (slots.length < bodies) {
            slots = new int[Math.max(bodies, 2 * slots.length)]; // an overflow of the doubling is negative
        }
    }

    /** Interleaves all slots of a block, then closes the gaps where there is no body. Returns the number of floats. */
    private int interleave(int b) {
        BodyBlock bodies = moment.shown().bodyBlock(b);
        int n = moment.shown().poses().slotsIn(b);
        int first = b << PoseBlock.SHIFT;
        format.interleave(moment.blockOrBlendInto(b, scratch), shift, interleaved, n);
        if (bodies.liveCount() == n) {
            return n * format.floats();
        }
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (BodyId.isLive(bodies.generation[i])) {
                System.arraycopy(
                        interleaved, i * format.floats(), interleaved, kept * format.floats(), format.floats());
                slots[firstInstances[b] + kept] = first + i;
                kept++;
            }
        }
        return kept * format.floats();
    }
}
