package dev.escapement.bench.jmh;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Arrays;

/** The work that every contestant does besides the handover: fills, reads and copies all components of the poses of all bodies. */
public final class PoseArrays {

    private PoseArrays() {}

    public static PoseBlocks room(int bodies) {
        PoseBlocks poses = new PoseBlocks(bodies);
        poses.resize(bodies);
        return poses;
    }

    /** Fills the poses with one and the same loop for all contestants, so that the JIT compiler compiles it equally for all. */
    public static void fill(PoseBlocks poses, float value) {
        for (int b = 0; b < poses.blockCount(); b++) {
            PoseBlock block = poses.block(b);
            int n = poses.slotsIn(b);
            Arrays.fill(block.px, 0, n, value);
            Arrays.fill(block.py, 0, n, value);
            Arrays.fill(block.pz, 0, n, value);
            Arrays.fill(block.qx, 0, n, value);
            Arrays.fill(block.qy, 0, n, value);
            Arrays.fill(block.qz, 0, n, value);
            Arrays.fill(block.qw, 0, n, value);
        }
    }

    public static int read(PoseBlocks poses) {
        int bits = 0;
        for (int b = 0; b < poses.blockCount(); b++) {
            PoseBlock block = poses.block(b);
            int n = poses.slotsIn(b);
            bits ^= read(block.px, n) ^ read(block.py, n) ^ read(block.pz, n);
            bits ^= read(block.qx, n) ^ read(block.qy, n) ^ read(block.qz, n) ^ read(block.qw, n);
        }
        return bits;
    }

    public static void copy(PoseBlocks from, PoseBlocks to) {
        to.resize(from.slotCount());
        for (int b = 0; b < from.blockCount(); b++) {
            to.block(b).copyFrom(from.block(b), 0, from.slotsIn(b));
        }
    }

    private static int read(float[] values, int n) {
        int bits = 0;
        for (int i = 0; i < n; i++) {
            bits ^= Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }
}
