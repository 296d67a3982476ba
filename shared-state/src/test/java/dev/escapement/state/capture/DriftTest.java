package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rotations whose length has drifted, in blocks that are checked in passes. */
class DriftTest {

    private static final int BODIES = PoseBlock.CAPACITY;

    /** So few are checked one by one. */
    private static final int FEW = 8;

    private final SplittableRandom random = new SplittableRandom(5);

    /** Each pose has the bits that it has where few are set, and so are checked one by one. */
    @Test
    void shouldGiveTheSameBitsInPassesAsOneByOne() {
        CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        CapturedWorld twin = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        int drifted = 0;
        for (int tick = 0; tick < 300; tick++) {
            float[][] rotations = new float[BODIES][];
            for (int i = 0; i < BODIES; i++) {
                rotations[i] = Quaternions.scaled(Quaternions.random(random), length());
                drifted += Math.abs(Quaternions.length(rotations[i]) - 1) > 1e-6 ? 1 : 0;
            }
            Snapshot all = world.tick(poses -> set(poses, rotations, BODIES));
            Snapshot few = twin.tick(poses -> set(poses, rotations, FEW));
            assertThat(all.bodies().isQuarantined(0)).isFalse();
            for (int i = 0; i < FEW; i++) {
                assertThat(rotation(all, i)).as("body %d in tick %d", i, tick).containsExactly(rotation(few, i));
                assertThat(all.motion(0).turn[i]).isEqualTo(few.motion(0).turn[i]);
            }
            for (int i = 0; i < BODIES; i++) {
                assertThat(Quaternions.length(rotation(all, i))).isCloseTo(1, within(6e-7));
                assertThat(Math.abs(Quaternions.dot(rotation(all, i), rotations[i]) / Quaternions.length(rotations[i])))
                        .isCloseTo(1, within(1e-6));
            }
        }
        assertThat(drifted).isGreaterThan(BODIES);
    }

    /** A third is regular, a third differs little, a third by up to what counts as drift. */
    private double length() {
        return switch (random.nextInt(3)) {
            case 0 -> 1 + random.nextDouble(-3e-7, 3e-7);
            case 1 -> 1 + random.nextDouble(-3e-6, 3e-6);
            default -> 1 + random.nextDouble(-0.045, 0.045);
        };
    }

    private static void set(PoseWriter poses, float[][] q, int count) {
        poses.bodyCount(BODIES);
        for (int i = 0; i < BODIES; i++) {
            if (i < count || poses.tick() == 1) {
                poses.set(i, 0, 0, 0, q[i][0], q[i][1], q[i][2], q[i][3]);
            }
        }
    }

    private static float[] rotation(Snapshot snapshot, int i) {
        PoseBlock block = snapshot.poses().block(0);
        return new float[] {block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
