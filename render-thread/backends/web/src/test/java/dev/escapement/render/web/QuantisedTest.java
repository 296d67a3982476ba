package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rotations keep their direction within the bound that the protocol has. */
class QuantisedTest {

    private static void shouldKeep(float x, float y, float z, float w) {
        assertThat(SeenWorld.turn(Quantised.rotation(x, y, z, w), x, y, z, w))
                .as("(%s, %s, %s, %s)", x, y, z, w)
                .isLessThan(SeenWorld.MAX_TURN);
    }

    @Test
    void shouldKeepAnyRotation() {
        Random random = new Random(24);
        for (int i = 0; i < 100_000; i++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            double z = random.nextGaussian();
            double w = random.nextGaussian();
            double length = Math.sqrt(x * x + y * y + z * z + w * w);
            shouldKeep((float) (x / length), (float) (y / length), (float) (z / length), (float) (w / length));
        }
    }

    @Test
    void shouldKeepRotationsAtTheEdges() {
        float half = (float) Math.sqrt(0.5);
        for (float s : new float[] {-1, 1}) {
            shouldKeep(s, 0, 0, 0);
            shouldKeep(0, s, 0, 0);
            shouldKeep(0, 0, s, 0);
            shouldKeep(0, 0, 0, s);
            shouldKeep(half, s * half, 0, 0);
            shouldKeep(0, s * half, 0, -half);
            shouldKeep(0.5f, 0.5f * s, -0.5f, 0.5f);
        }
    }

    @Test
    void shouldKeepWhatStandsStraightExactly() {
        assertThat(SeenWorld.turn(Quantised.rotation(0, 0, 0, 1), 0, 0, 0, 1)).isZero();
    }

    @Test
    void shouldHaveOneCodeForBothSigns() {
        assertThat(Quantised.rotation(0.1f, -0.7f, 0.1f, 0.7f))
                .isEqualTo(Quantised.rotation(-0.1f, 0.7f, -0.1f, -0.7f));
    }
}
