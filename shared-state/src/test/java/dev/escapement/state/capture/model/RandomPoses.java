package dev.escapement.state.capture.model;

import java.util.SplittableRandom;

/** Places and rotations. */
final class RandomPoses {

    private final SplittableRandom random;

    RandomPoses(SplittableRandom random) {
        this.random = random;
    }

    float[] place() {
        return new float[] {
            (float) random.nextDouble(-1000, 1000), (float) random.nextDouble(-10, 10), random.nextInt(100)
        };
    }

    /** Of length 1, or of any length that is still normalised. */
    float[] rotation(boolean drifted) {
        double[] q = new double[4];
        double squared = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = random.nextDouble(-1, 1);
            squared += q[i] * q[i];
        }
        double length = drifted ? random.nextDouble(0.97, 1.03) : 1;
        return scaled(q, squared > 1e-6 ? length / Math.sqrt(squared) : Double.NaN);
    }

    static float[] normalised(float[] q) {
        double[] wide = {q[0], q[1], q[2], q[3]};
        double squared = 0;
        for (double component : wide) {
            squared += component * component;
        }
        return scaled(wide, 1 / Math.sqrt(squared));
    }

    private static float[] scaled(double[] q, double scale) {
        return new float[] {
            (float) (scale * q[0]), (float) (scale * q[1]), (float) (scale * q[2]), (float) (scale * q[3])
        };
    }
}
