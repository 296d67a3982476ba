package dev.escapement.render.tools;

import dev.escapement.state.snapshot.PoseBlock;

/**
 * The consecutive floats of a body in an {@link InstanceBuffer}.
 *
 * @see InstanceBuffer
 */
public enum InstanceFormat {

    /** Position x, y, z, then quaternion x, y, z, w. */
    POSE(7) {
        @Override
        void interleave(float[] x, float[] y, float[] z, PoseBlock p, float[] out, int n) {
            float[] qx = p.qx;
            float[] qy = p.qy;
            float[] qz = p.qz;
            float[] qw = p.qw;
            for (int i = 0; i < n; i++) {
                int at = 7 * i;
                out[at] = x[i];
                out[at + 1] = y[i];
                out[at + 2] = z[i];
            }
            for (int i = 0;
                    i < n;
                    i++) { // two loops: a single one with all fourteen addresses takes half as long again
                int at = 7 * i;
                out[at + 3] = qx[i];
                out[at + 4] = qy[i];
                out[at + 5] = qz[i];
                out[at + 6] = qw[i];
            }
        }
    },

    /** A 4 x 4 matrix in columns, as OpenGL and JOML store it: rotation, then position. */
    MATRIX(16) {
        @Override
        void interleave(float[] x, float[] y, float[] z, PoseBlock p, float[] out, int n) {
            float[] qx = p.qx;
            float[] qy = p.qy;
            float[] qz = p.qz;
            float[] qw = p.qw;
            for (int i = 0; i < n; i++) {
                int at = 16 * i;
                float x2 = qx[i] + qx[i];
                float y2 = qy[i] + qy[i];
                float z2 = qz[i] + qz[i];
                float xx = qx[i] * x2;
                float yy = qy[i] * y2;
                float zz = qz[i] * z2;
                float xy = qx[i] * y2;
                float xz = qx[i] * z2;
                float yz = qy[i] * z2;
                float wx = qw[i] * x2;
                float wy = qw[i] * y2;
                float wz = qw[i] * z2;
                out[at] = 1 - (yy + zz);
                out[at + 1] = xy + wz;
                out[at + 2] = xz - wy;
                out[at + 4] = xy - wz;
                out[at + 5] = 1 - (xx + zz);
                out[at + 6] = yz + wx;
                out[at + 8] = xz + wy;
                out[at + 9] = yz - wx;
                out[at + 10] = 1 - (xx + yy);
                out[at + 12] = x[i];
                out[at + 13] = y[i];
                out[at + 14] = z[i];
            }
        }

        @Override
        float[] newBlock() {
            float[] block = super.newBlock();
            for (int at = 15; at < block.length; at += 16) {
                block[at] = 1;
            }
            return block;
        }
    };

    private final int floats;

    InstanceFormat(int floats) {
        this.floats = floats;
    }

    /** {@return the number of floats per body, 7 or 16} */
    public int floats() {
        return floats;
    }

    /** Writes positions, and the rotations of the first {@code n} slots of a block, one body after the other. */
    abstract void interleave(float[] x, float[] y, float[] z, PoseBlock p, float[] out, int n);

    /** Creates the array for a block, filled with the values that all bodies share. */
    float[] newBlock() {
        return new float[PoseBlock.CAPACITY * floats];
    }
}
