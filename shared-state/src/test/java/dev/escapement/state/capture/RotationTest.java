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

/** Tests the rotations that readers see: unit quaternions, no sign flips, and the angle that each body turned, or how often. */
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
            poses.angularVelocity(0, 1000, 0, 0);
        });
        assertThat(rotation(respawned)).containsExactly(0, 0, 0.8f, 0.6f);
        assertThat(respawned.motion(0).turn[0]).isZero();
        assertThat(respawned.motion(0).breaks().has(MotionBreaks.Kind.SPINNING, 0))
                .isFalse();
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

    /** Captures a wheel that turns evenly. Its reported angular velocity is {@code said} times the true one. */
    private MotionBreaks spin(double[] axis, double turnsPerTick, double said) {
        double radians = 2 * Math.PI * turnsPerTick;
        double speed = said * radians / CapturedWorld.RATE.dtSeconds();
        double[] start = Quaternions.around(Quaternions.randomAxis(random), 1);
        CapturedWorld wheels = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        Snapshot snapshot = wheels.tick();
        for (int tick = 1; tick <= 3; tick++) {
            float[] q = Quaternions.floats(Quaternions.product(Quaternions.around(axis, tick * radians), start));
            snapshot = wheels.tick(poses -> {
                poses.bodyCount(3);
                poses.set(1, 0, 0, 0, q[0], q[1], q[2], q[3]);
                poses.angularVelocity(
                        1, (float) (speed * axis[0]), (float) (speed * axis[1]), (float) (speed * axis[2]));
                poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                poses.set(2, 0, 0, 0, 0, 0, 0, 1);
            });
        }
        return snapshot.motion(0).breaks();
    }

    /** The angular velocity gives the number of full turns, also if it is wrong by less than half a turn; the rotations give the rest. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5001, 0.9, 1, 1.001, 1.5, 2.7, 10.3})
    void shouldReportTurnsAboveHalfATurn(double turnsPerTick) {
        double radians = 2 * Math.PI * turnsPerTick;
        for (int i = 0; i < 50; i++) {
            double[] axis = Quaternions.randomAxis(random);
            double error = turnsPerTick < 0.9 ? 0 : random.nextDouble(-0.4, 0.4) / turnsPerTick;
            MotionBreaks breaks = spin(axis, turnsPerTick, 1 + error);
            assertThat(breaks.count()).isEqualTo(1);
            assertThat(breaks.kind(0)).isEqualTo(MotionBreaks.Kind.SPINNING);
            assertThat(breaks.index(0)).isEqualTo(1);
            double dx = breaks.x(0) - radians * axis[0];
            double dy = breaks.y(0) - radians * axis[1];
            double dz = breaks.z(0) - radians * axis[2];
            assertThat(Math.sqrt(dx * dx + dy * dy + dz * dz)).isLessThan(1e-3 * radians);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 0.49, 0.4999})
    void shouldLeaveSlowerWheelsToTheirRotations(double turnsPerTick) {
        assertThat(spin(Quaternions.randomAxis(random), turnsPerTick, 1).count())
                .isZero();
    }
}
