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
 * Writes all bodies of a moment as consecutive floats, for drawing them in one call. Bodies stand in the order of their slots
 * without gaps; {@link #slot} tells which is which. Each block is blended and written in one go, while it is in the processor's
 * cache.
 *
 * <pre>{@code
 * InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
 * int bodies = writer.write(view.interpolator(), cameraX, cameraY, cameraZ, buffer);
 * }</pre>
 *
 * <p>One thread. Allocates nothing unless the number of bodies grows.
 */
public final class InstanceWriter {

    private final InstanceFormat format;
    private final float[] interleaved;
    private PoseBlock scratch = new PoseBlock();
    private int[] slots = {};
    private int count;

    // What is added to a position to measure it from the camera.
    private double shiftX;
    private double shiftY;
    private double shiftZ;

    /**
     * Creates a writer.
     *
     * @param format what to write of each body
     */
    public InstanceWriter(InstanceFormat format) {
        this.format = format;
        interleaved = new float[PoseBlock.CAPACITY * format.floats()];
    }

    /**
     * Writes all bodies, relative to a camera, from the buffer's position on. Position and limit stay as they are.
     *
     * @param moment  what to write
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
            int floats = interleave(moment, b, interleaved, 0);
            out.put(at, interleaved, 0, floats);
            at += floats;
        }
        return count;
    }

    /**
     * Writes all bodies, relative to a camera.
     *
     * @param moment  what to write
     * @param cameraX the camera in the world, metres
     * @param cameraY the camera in the world, metres
     * @param cameraZ the camera in the world, metres
     * @param out     where to, from the start
     * @return how many bodies were written
     * @throws IllegalArgumentException if the array is too short or the camera is not finite; nothing is written then
     */
    public int write(Interpolator moment, double cameraX, double cameraY, double cameraZ, float[] out) {
        begin(moment, cameraX, cameraY, cameraZ, out.length);
        int at = 0;
        for (int b = 0; b < moment.shown().poses().blockCount(); b++) {
            at += interleave(moment, b, out, at);
        }
        return count;
    }

    /** Writes every slot of plain poses, as they are. */
    void write(PoseBlocks poses, FloatBuffer out) {
        count = 0;
        shiftX = 0;
        shiftY = 0;
        shiftZ = 0;
        room(poses.slotCount());
        int at = out.position();
        for (int b = 0; b < poses.blockCount(); b++) {
            int n = poses.slotsIn(b);
            for (int i = 0; i < n; i++) {
                put(poses.block(b), b, i, interleaved, i * format.floats());
            }
            out.put(at, interleaved, 0, n * format.floats());
            at += n * format.floats();
        }
    }

    int floats() {
        return format.floats();
    }

    /**
     * Which body an instance is.
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
     * @param moment what to write
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
        shiftX = shown.originX() - cameraX;
        shiftY = shown.originY() - cameraY;
        shiftZ = shown.originZ() - cameraZ;
        count = 0;
        room(bodies);
        if (scratch.channels.length != shown.layout().channels().size()) {
            scratch = moment.newBlock();
        }
    }

    private int interleave(Interpolator moment, int b, float[] out, int start) {
        BodyBlock bodies = moment.shown().bodyBlock(b);
        PoseBlock poses = moment.blockOrBlendInto(b, scratch);
        int n = moment.shown().poses().slotsIn(b);
        int at = start;
        for (int i = 0; i < n; i++) {
            if (BodyId.isLive(bodies.generation[i])) {
                put(poses, b, i, out, at);
                at += format.floats();
            }
        }
        return at - start;
    }

    private void put(PoseBlock poses, int b, int i, float[] out, int at) {
        format.write(poses, i, shiftX, shiftY, shiftZ, out, at);
        slots[count++] = (b << PoseBlock.SHIFT) + i;
    }

    private void room(int bodies) {
        if (slots.length < bodies) {
            slots = Arrays.copyOf(slots, bodies);
        }
    }
}
