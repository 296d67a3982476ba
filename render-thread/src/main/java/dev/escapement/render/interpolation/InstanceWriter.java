package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

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

    private final InstanceFormat format;
    private final float[] interleaved;
    private PoseBlock scratch = new PoseBlock();
    private int[] slots = {};
    private final CameraShift shift = new CameraShift();
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
     * @param moment  the moment to write
     * @param cameraX the camera in the world, metres
     * @param cameraY the camera in the world, metres
     * @param cameraZ the camera in the world, metres
     * @param out     a direct buffer in native order
     * @return how many bodies were written
     * @throws IllegalArgumentException if the buffer is too small, read-only, not direct or in another order, or the camera
     *                                  is not finite; nothing is written then
     */
    public int write(Interpolator moment, double cameraX, double cameraY, double cameraZ, FloatBuffer out) {
        if (out.isReadOnly() || !out.isDirect() || out.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(
                    "instances need a direct, writable buffer in native order, but this one is "
                            + (out.isDirect() ? "direct, " : "not direct, ")
                            + (out.isReadOnly() ? "read-only, " : "writable, ")
                            + "in order " + out.order());
        }
        begin(moment, cameraX, cameraY, cameraZ, out.remaining());
        int at = out.position();
        for (int b = 0; b < moment.shown().poses().blockCount(); b++) {
            int floats = interleave(moment, b);
            out.put(at, interleaved, 0, floats);
            at += floats;
        }
        return count;
    }

    /**
     * Writes all bodies, relative to a camera.
     *
     * @param moment  the moment to write
     * @param cameraX the camera in the world, metres
     * @param cameraY the camera in the world, metres
     * @param cameraZ the camera in the world, metres
     * @param out     the array, written from its start
     * @return how many bodies were written
     * @throws IllegalArgumentException if the array is too short or the camera is not finite; nothing is written then
     */
    public int write(Interpolator moment, double cameraX, double cameraY, double cameraZ, float[] out) {
        begin(moment, cameraX, cameraY, cameraZ, out.length);
        int at = 0;
        for (int b = 0; b < moment.shown().poses().blockCount(); b++) {
            int floats = interleave(moment, b);
            System.arraycopy(interleaved, 0, out, at, floats);
            at += floats;
        }
        return count;
    }

    /** Writes every slot of unblended poses. */
    void write(PoseBlocks poses, FloatBuffer out) {
        shift.none();
        begin(poses.slotCount());
        int at = out.position();
        for (int b = 0; b < poses.blockCount(); b++) {
            int n = poses.slotsIn(b);
            format.interleave(poses.block(b), shift, interleaved, n);
            addSlots(b << PoseBlock.SHIFT, n);
            out.put(at, interleaved, 0, n * format.floats());
            at += n * format.floats();
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
        return slots[instance];
    }

    /**
     * How many floats a moment takes.
     *
     * @param moment the moment to write
     * @return its bodies times the floats of the format
     */
    public int floatsFor(Interpolator moment) {
        return Math.multiplyExact(moment.bodies().count(), format.floats());
    }

    private void begin(Interpolator moment, double cameraX, double cameraY, double cameraZ, int room) {
        Snapshot shown = moment.shown();
        int bodies = shown.bodies().count();
        if ((long) bodies * format.floats() > room) {
            throw new IllegalArgumentException(bodies + " bodies in format " + format + " need "
                    + (long) bodies * format.floats() + " floats, but there is room for " + room);
        }
        if (!Double.isFinite(cameraX + cameraY + cameraZ)) {
            throw new IllegalArgumentException(
                    "a camera must be finite, but is at (" + cameraX + ", " + cameraY + ", " + cameraZ + ")");
        }
        shift.set(shown, cameraX, cameraY, cameraZ);
        begin(bodies);
        if (scratch.channels.length != shown.layout().channels().size()) {
            scratch = moment.newBlock();
        }
    }

    private void begin(int bodies) {
        count = 0;
        if (slots.length < bodies) {
            slots = new int[Math.max(bodies, 2 * slots.length)]; // an overflow of the doubling is negative
        }
    }

    /** Writes all slots of a block, then closes the gaps where there is no body. */
    private int interleave(Interpolator moment, int b) {
        BodyBlock bodies = moment.shown().bodyBlock(b);
        int n = moment.shown().poses().slotsIn(b);
        int first = b << PoseBlock.SHIFT;
        format.interleave(moment.blockOrBlendInto(b, scratch), shift, interleaved, n);
        if (bodies.liveCount() == n) {
            addSlots(first, n);
            return n * format.floats();
        }
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (BodyId.isLive(bodies.generation[i])) {
                System.arraycopy(
                        interleaved, i * format.floats(), interleaved, kept * format.floats(), format.floats());
                addSlots(first + i, 1);
                kept++;
            }
        }
        return kept * format.floats();
    }

    private void addSlots(int first, int number) {
        int[] into = slots;
        int at = count;
        for (int i = 0; i < number; i++) {
            into[at + i] = first + i;
        }
        count = at + number;
    }
}
