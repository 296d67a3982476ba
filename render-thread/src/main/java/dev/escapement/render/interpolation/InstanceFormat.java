package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.PoseBlock;

/** What a renderer wants to know of each body, as consecutive floats. */
public enum InstanceFormat {

    /** Position x, y, z, then quaternion x, y, z, w. */
    POSE(7) {
        @Override
        void write(PoseBlock p, int i, double x, double y, double z, float[] out, int at) {
            out[at] = (float) (p.px[i] + x);
            out[at + 1] = (float) (p.py[i] + y);
            out[at + 2] = (float) (p.pz[i] + z);
            out[at + 3] = p.qx[i];
            out[at + 4] = p.qy[i];
            out[at + 5] = p.qz[i];
            out[at + 6] = p.qw[i];
        }
    },

    /** A 4 x 4 matrix in columns, as OpenGL and JOML store it: rotation, then position. */
    MATRIX(16) {
        @Override
        void write(PoseBlock p, int i, double x, double y, double z, float[] out, int at) {
            float qx = p.qx[i];
            float qy = p.qy[i];
            float qz = p.qz[i];
            float qw = p.qw[i];
            out[at] = 1 - 2 * (qy * qy + qz * qz);
            out[at + 1] = 2 * (qx * qy + qz * qw);
            out[at + 2] = 2 * (qx * qz - qy * qw);
            out[at + 3] = 0;
            out[at + 4] = 2 * (qx * qy - qz * qw);
            out[at + 5] = 1 - 2 * (qx * qx + qz * qz);
            out[at + 6] = 2 * (qy * qz + qx * qw);
            out[at + 7] = 0;
            out[at + 8] = 2 * (qx * qz + qy * qw);
            out[at + 9] = 2 * (qy * qz - qx * qw);
            out[at + 10] = 1 - 2 * (qx * qx + qy * qy);
            out[at + 11] = 0;
            out[at + 12] = (float) (p.px[i] + x);
            out[at + 13] = (float) (p.py[i] + y);
            out[at + 14] = (float) (p.pz[i] + z);
            out[at + 15] = 1;
        }
    };

    private final int floats;

    InstanceFormat(int floats) {
        this.floats = floats;
    }

    /**
     * How many floats a body takes.
     *
     * @return 7 or 16
     */
    public int floats() {
        return floats;
    }

    /** Writes one body whose position is measured from (-x, -y, -z). */
    abstract void write(PoseBlock p, int i, double x, double y, double z, float[] out, int at);
}
