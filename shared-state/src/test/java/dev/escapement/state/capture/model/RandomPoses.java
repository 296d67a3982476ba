package dev.escapement.state.capture.model;

import dev.escapement.state.capture.Quaternions;
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
        return Quaternions.scaled(Quaternions.random(random), drifted ? random.nextDouble(0.97, 1.03) : 1);
    }

    static float[] normalised(float[] q) {
        return Quaternions.scaled(q, 1 / Quaternions.length(q));
    }
}
