package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Poses as a graphics card wants them: {@value #FLOATS_PER_BODY} floats a body, position x, y, z, then quaternion
 * x, y, z, w, in a direct buffer in native order.
 *
 * <p>One thread. Allocates nothing unless the number of bodies grows.
 */
public final class InstanceBuffer {

    /** Floats for one body. */
    public static final int FLOATS_PER_BODY = 7;

    private final float[] block = new float[PoseBlock.CAPACITY * FLOATS_PER_BODY];
    private FloatBuffer floats = allocate(0);

    /** Creates an empty buffer. */
    public InstanceBuffer() {}

    /**
     * Replaces the contents.
     *
     * @param poses the poses to write
     * @return the buffer, from 0 to its limit; the same one until the number of bodies grows
     */
    public FloatBuffer write(PoseBlocks poses) {
        int needed = poses.bodyCount() * FLOATS_PER_BODY;
        if (floats.capacity() < needed) {
            floats = allocate(needed);
        }
        floats.clear();
        for (int b = 0; b < poses.blockCount(); b++) {
            int bodies = poses.bodiesIn(b);
            interleave(poses.block(b), bodies);
            floats.put(block, 0, bodies * FLOATS_PER_BODY);
        }
        return floats.flip();
    }

    private void interleave(PoseBlock poses, int bodies) {
        for (int i = 0; i < bodies; i++) {
            int at = i * FLOATS_PER_BODY;
            block[at] = poses.px[i];
            block[at + 1] = poses.py[i];
            block[at + 2] = poses.pz[i];
            block[at + 3] = poses.qx[i];
            block[at + 4] = poses.qy[i];
            block[at + 5] = poses.qz[i];
            block[at + 6] = poses.qw[i];
        }
    }

    private static FloatBuffer allocate(int count) {
        return ByteBuffer.allocateDirect(count * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
