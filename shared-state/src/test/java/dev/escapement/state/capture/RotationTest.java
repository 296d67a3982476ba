package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rotations as readers find them: unit quaternions, no sign flips, and how far each turned. */
class RotationTest {

    private final SplittableRandom random = new SplittableRandom(11);
    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    private Snapshot turn(float[] q) {
        return world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, q[0], q[1], q[2], q[3]);
        });
    }

    private static float[] rotation(Snapshot snapshot) {
        PoseBlock block = snapshot.poses().block(0);
        return new float[] {block.qx[0], block.qy[0], block.qz[0], block.qw[0]};
    }

    @Test
    void shouldAlignARotationsSignWithTheTickBefore() {
        turn(new float[] {0, 0, 0.6f, 0.8f});
        assertThat(rotation(turn(new float[] {-0f, -0f, -0.8f, -0.6f}))).containsExactly(0, 0, 0.8f, 0.6f);
    }

    /** As float arithmetic leaves them: unit but for rounding. */
    @Test
    void shouldKeepUnitQuaternionsBitForBitUpToTheSignOfTheTickBefore() {
        float[] before = {0, 0, 0, 1};
        int flips = 0;
        for (int tick = 0; tick < 200; tick++) {
            float[] q = Quaternions.scaled(Quaternions.random(random), 1 + random.nextDouble(-3e-7, 3e-7));
            float[] stored = rotation(turn(q));
            boolean flipped = tick > 0 && Quaternions.dot(q, before) < 0;
            assertThat(stored).containsExactly(flipped ? Quaternions.negated(q) : q);
            flips += flipped ? 1 : 0;
            before = stored;
        }
        assertThat(flips).isBetween(50, 150);
    }

    @Test
    void shouldKeepTheSignOfABodyWithoutAPast() {
        assertThat(rotation(turn(new float[] {0, 0, -0.6f, -0.8f}))).containsExactly(0, 0, -0.6f, -0.8f);
        Snapshot respawned = world.tick(poses -> {
            poses.despawn(1L << 32);
            poses.set(poses.slotOf(poses.spawn(0)), 0, 0, 0, 0, 0, 0.8f, 0.6f);
        });
        assertThat(rotation(respawned)).containsExactly(0, 0, 0.8f, 0.6f);
        assertThat(respawned.motion(0).turn[0]).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.97, 0.99, 0.9999, 0.999_999, 1.000_001, 1.0001, 1.01, 1.03})
    void shouldNormaliseWhatHasDrifted(double length) {
        for (int i = 0; i < 100; i++) {
            float[] unit = Quaternions.random(random);
            float[] stored = rotation(turn(Quaternions.scaled(unit, length)));
            assertThat(Quaternions.length(stored)).isCloseTo(1, within(1e-6));
            assertThat(Math.abs(Quaternions.dot(stored, unit)))
                    .as("the same rotation")
                    .isCloseTo(1, within(1e-6));
        }
    }

    /** Relative: a thousandth of a degree keeps as many digits as half a turn. Measured: 1.04e-6 at worst. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-2, 0.1, 0.5, 1, 2, 3.1})
    void shouldTellHowFarABodyTurned(double mostRadians) {
        float[] before = Quaternions.random(random);
        turn(before);
        for (int tick = 0; tick < 200; tick++) {
            double radians = random.nextDouble(mostRadians / 2, mostRadians);
            float[] next = Quaternions.floats(Quaternions.product(
                    Quaternions.around(Quaternions.randomAxis(random), radians),
                    new double[] {before[0], before[1], before[2], before[3]}));
            Snapshot snapshot = turn(random.nextBoolean() ? next : Quaternions.negated(next));
            float[] stored = rotation(snapshot);
            double cosine = Quaternions.dot(before, stored) / Quaternions.length(before) / Quaternions.length(stored);
            float turn = snapshot.motion(0).turn[0];
            assertThat(turn / (cosine - 1)).isCloseTo(1, within(2e-6));
            assertThat(turn).isEqualTo(snapshot.motion(0).largestTurn()).isNegative();
            before = stored;
        }
    }

    @Test
    void shouldFindTheLargestTurnOfABlock() {
        CapturedWorld many = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        for (int tick = 0; tick < 50; tick++) {
            Snapshot snapshot = many.tick(poses -> {
                poses.bodyCount(1500);
                for (int i = 0; i < 1500; i++) {
                    float[] q = Quaternions.random(random);
                    poses.set(i, 0, 0, 0, q[0], q[1], q[2], q[3]);
                }
            });
            for (int b = 0; b < 2; b++) {
                MotionBlock motion = snapshot.motion(b);
                float least = 0;
                for (float turn : motion.turn) {
                    least = Math.min(least, turn);
                }
                assertThat(motion.largestTurn()).isEqualTo(least);
                assertThat(least).isGreaterThanOrEqualTo(-1.000_001f);
            }
        }
    }

    /** Half of the signs are wrong for ever, as where a simulation keeps w positive; a few poses of the block need more than a sign. */
    @Test
    void shouldAlignSignsNextToDriftedAndQuarantinedBodies() {
        CapturedWorld many = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        int bodies = 1500;
        float[][] given = new float[bodies][];
        float[][] before = new float[bodies][];
        for (int tick = 0; tick < 30; tick++) {
            boolean troubled = tick % 2 == 1;
            Snapshot snapshot = many.tick(poses -> {
                poses.bodyCount(bodies);
                for (int i = 0; i < bodies; i++) {
                    float[] q = Quaternions.random(random);
                    given[i] = troubled && i % 100 == 7 ? Quaternions.scaled(q, 1.01) : q;
                    poses.set(
                            i,
                            troubled && i % 100 == 9 ? Float.NaN : i,
                            0,
                            0,
                            given[i][0],
                            given[i][1],
                            given[i][2],
                            given[i][3]);
                }
            });
            for (int i = 0; i < bodies; i++) {
                PoseBlock block = snapshot.poses().blockOf(i);
                int index = i & PoseBlock.MASK;
                float[] stored = {block.qx[index], block.qy[index], block.qz[index], block.qw[index]};
                assertThat(block.px[index]).isEqualTo(i);
                if (troubled && i % 100 == 9) {
                    assertThat(stored).containsExactly(before[i]);
                } else if (tick > 0) {
                    boolean flipped = Quaternions.dot(given[i], before[i]) < 0;
                    float[] expected = flipped ? Quaternions.negated(given[i]) : given[i];
                    assertThat(stored).containsExactly(expected, within(troubled && i % 100 == 7 ? 0.011f : 0));
                    assertThat(Quaternions.length(stored)).isCloseTo(1, within(1e-6));
                    assertThat(snapshot.motion(i >>> PoseBlock.SHIFT).turn[index])
                            .isCloseTo((float) Quaternions.dot(stored, before[i]) - 1, within(2e-6f));
                }
                before[i] = stored;
            }
        }
    }

    @Test
    void shouldCountABodyThatWasNotSetAsNotTurned() {
        turn(new float[] {0, 0, 0.6f, 0.8f});
        turn(new float[] {0, 0, 0.8f, 0.6f});
        Snapshot spawned = world.tick(poses -> {
            poses.bodyCount(2);
            poses.set(1, 0, 0, 0, 1, 0, 0, 0);
        });
        assertThat(spawned.motion(0).turn).containsOnly(0);
        assertThat(spawned.motion(0).largestTurn()).isZero();
    }
}
