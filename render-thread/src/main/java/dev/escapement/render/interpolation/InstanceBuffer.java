package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * All bodies of a moment as consecutive floats in a direct buffer, to draw them in one call. Bodies are in the order of their slots without
 * gaps; {@link #slot} maps an instance to its body. Each block is blended and written while it is in the processor's cache.
 *
 * <pre>{@code
 * FloatBuffer floats = instances.write(view.interpolator(), cameraX, cameraY, cameraZ);
 * }</pre>
 *
 * <p>One thread. Allocates only when the bodies outgrow its capacity, which then doubles at least.
 */
public final class InstanceBuffer {

    private static final int MAX_FLOATS = Integer.MAX_VALUE / Float.BYTES;

    private final InstanceFormat format;
    private FloatBuffer floats = allocate(0);

    // One block, blended, shifted and interleaved.
    private final float[] interleaved;
    private final CameraShift shift = new CameraShift();
    private PoseBlock scratch = new PoseBlock();

    /** Per block: the instance of its first body. After the last block: the number of instances. */
    private int[] firstInstances = {0};

    private int blockCount;
    private int slotCount;

    /** Per instance of a block with gaps: its slot. Those of other blocks follow from the block's first instance. */
    private int[] slots = {};

    private int count;

    /**
     * Creates an empty buffer.
     *
     * @param format the floats to write per body
     */
    public InstanceBuffer(InstanceFormat format) {
        this.format = format;
        interleaved = format.newBlock();
    }

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
        FloatBuffer into = begin(shown.bodies().count(), shown.poses());
        shift.set(shown, cameraX, cameraY, cameraZ);
        if (scratch.channels.length != shown.layout().channels().size()) {
            scratch = moment.newBlock();
        }
        for (int b = 0; b < blockCount; b++) {
            firstInstances[b + 1] = firstInstances[b] + shown.bodyBlock(b).liveCount();
            into.put(firstInstances[b] * format.floats(), interleaved, 0, interleave(moment, b));
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
        FloatBuffer into = begin(poses.slotCount(), poses);
        shift.none();
        for (int b = 0; b < blockCount; b++) {
            int n = poses.slotsIn(b);
            firstInstances[b + 1] = firstInstances[b] + n;
            format.interleave(poses.block(b), shift, interleaved, n);
            into.put(firstInstances[b] * format.floats(), interleaved, 0, n * format.floats());
        }
        return into;
    }

    /**
     * The body of an instance.
     *
     * @param instance its index in the buffer, from 0
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

    /** Makes room for {@code bodies} bodies. */
    private FloatBuffer begin(int bodies, PoseBlocks poses) {
        int needed = Math.multiplyExact(bodies, format.floats());
        if (floats.capacity() < needed) {
            // At least doubled: otherwise a world that gains a body per frame would leave a direct buffer per frame as
            // garbage.
            floats = allocate(Math.max(needed, (int) Math.min(MAX_FLOATS, 2L * floats.capacity())));
        }
        count = bodies;
        slotCount = poses.slotCount();
        blockCount = poses.blockCount();
        if (firstInstances.length <= blockCount) {
            firstInstances = new int[Math.max(blockCount + 1, 2 * firstInstances.length)];
        }
        if (slots.length < bodies) {
            slots = new int[Math.max(bodies, 2 * slots.length)]; // an overflow of the doubling is negative
        }
        return floats.clear().limit(needed);
    }

    private static FloatBuffer allocate(int count) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(count, Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /** Interleaves all slots of a block, then closes the gaps where there is no body. Returns the number of floats. */
    private int interleave(Interpolator moment, int b) {
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
