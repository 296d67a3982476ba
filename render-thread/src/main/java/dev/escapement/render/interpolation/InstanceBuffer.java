package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * A direct buffer for the instances of all bodies, which grows with their number.
 *
 * <pre>{@code
 * FloatBuffer floats = instances.write(view.interpolator(), cameraX, cameraY, cameraZ);
 * }</pre>
 *
 * <p>One thread. Allocates only when there are more bodies than it has room for, and then room for twice as many.
 *
 * @see InstanceWriter
 */
public final class InstanceBuffer {

    private static final int MOST_FLOATS = Integer.MAX_VALUE / Float.BYTES;

    private final InstanceWriter writer;
    private FloatBuffer floats = allocate(0);

    /**
     * Creates an empty buffer.
     *
     * @param format the floats to write per body
     */
    public InstanceBuffer(InstanceFormat format) {
        writer = new InstanceWriter(format);
    }

    /**
     * Replaces the contents.
     *
     * @param moment  the moment to write
     * @param cameraX the camera in the world, metres
     * @param cameraY the camera in the world, metres
     * @param cameraZ the camera in the world, metres
     * @return the buffer, from 0 to its limit; the same one until the bodies outgrow it
     * @throws IllegalArgumentException if the camera is not finite
     */
    public FloatBuffer write(Interpolator moment, double cameraX, double cameraY, double cameraZ) {
        FloatBuffer room = room(writer.floatsFor(moment));
        writer.write(moment, cameraX, cameraY, cameraZ, room);
        return room;
    }

    /**
     * Replaces the contents with unblended poses; every slot counts as a body.
     *
     * @param poses the poses to write
     * @return the buffer, from 0 to its limit; the same one until the bodies outgrow it
     */
    public FloatBuffer write(PoseBlocks poses) {
        FloatBuffer room = room(Math.multiplyExact(poses.slotCount(), writer.floats()));
        writer.write(poses, room);
        return room;
    }

    /**
     * The body of an instance.
     *
     * @param instance its index in the buffer, from 0
     * @return the body's slot
     * @throws IndexOutOfBoundsException if there is no such instance
     */
    public int slot(int instance) {
        return writer.slot(instance);
    }

    private FloatBuffer room(int needed) {
        if (floats.capacity() < needed) {
            // At least doubled: otherwise a world that gains a body per frame would leave a direct buffer per frame as
            // garbage.
            floats = allocate(Math.max(needed, (int) Math.min(MOST_FLOATS, 2L * floats.capacity())));
        }
        return floats.clear().limit(needed);
    }

    private static FloatBuffer allocate(int count) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(count, Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
