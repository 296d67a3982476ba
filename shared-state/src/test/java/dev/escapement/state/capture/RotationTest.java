package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rotations that readers see: unit quaternions, no sign flips, and the angle that each body turned. */
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

    /** The quaternions have unit length up to the rounding of float arithmetic. */
    @Test
    void shouldKeepTheBitsOfUnitQuaternionsExceptTheirSign() {
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

    /** The error is relative: a thousandth of a degree keeps as many digits as half a turn. Measured: 1.04e-6 at worst. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-2, 0.1, 0.5, 1, 2, 3.1})
    void shouldReportHowFarABodyTurned(double maxRadians) {
        float[] before = Quaternions.random(random);
        turn(before);
        for (int tick = 0; tick < 200; tick++) {
            double radians = random.nextDouble(maxRadians / 2, maxRadians);
            float[] next = Quaternions.floats(Quaternions.product(
                    Quaternions.around(Quaternions.randomAxis(random), radians),
                    new double[] {before[0], before[1], before[2], before[3]}));
            Snapshot snapshot = turn(random.nextBoolean() ? next : Quaternions.negated(next));
            float[] stored = rotation(snapshot);
            double cosine = Quaternions.dot(before, stored) / Quaternions.length(before) / Quaternions.length(stored);
            float turn = snapshot.motion(0).turn[0];
            assertThat(turn / (cosine - 1)).isCloseTo(1, within(2e-6));
            assertThat(turn).isEqualTo(snapshot.motion(0).leastTurn()).isNegative();
            before = stored;
        }
    }

    @Test
    void shouldSayByHowMuchABodyWasTurnedWrongly() throws Exception {
        MotionBreaks breaks = breaksAfter(new float[] {0, 0, 0.6f, 0.8f}, new float[] {0, 0, 0, 1});
        assertThat(breaks.count()).isEqualTo(1);
        assertThat(breaks.kind(0)).isEqualTo(MotionBreaks.Kind.CORRECTED_TURN);
        assertThat(breaks.z(0)).isBetween(1.28f, 1.29f);
    }

    /** Readers divide by the length of the turn in floats, which would be a division by zero. */
    @ParameterizedTest
    @ValueSource(floats = {Float.MIN_VALUE, 1e-39f})
    void shouldIgnoreATurnThatIsZeroAsAFloat(float tiny) throws Exception {
        assertThat(breaksAfter(new float[] {0, 0, tiny, 1}, new float[] {0, 0, tiny, 1 - Math.ulp(0.5f)})
                        .count())
                .isZero();
    }

    /** Returns the motion breaks of the tick after a wrong rotation that a re-simulation corrected. */
    private MotionBreaks breaksAfter(float[] wrong, float[] right) throws Exception {
        turn(new float[] {0, 0, 0, 1});
        turn(wrong);
        world.again(poses -> poses.set(0, 0, 0, 0, right[0], right[1], right[2], right[3]));
        return turn(right).motion(0).breaks();
    }
}
