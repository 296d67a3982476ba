package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests wheels so fast that two rotations alone would show them slow, standing or backwards. */
class SpinTest {

    private final SplittableRandom random = new SplittableRandom(23);

    /** Captures a wheel that turns evenly. Its reported angular velocity is {@code said} times the true one. */
    private MotionBreaks spin(double[] axis, double turnsPerTick, double said) {
        double radians = 2 * Math.PI * turnsPerTick;
        double speed = said * radians / CapturedWorld.RATE.dtSeconds();
        double[] start = Quaternions.around(Quaternions.randomAxis(random), 1);
        CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        Snapshot snapshot = world.tick();
        for (int tick = 1; tick <= 3; tick++) {
            float[] q = Quaternions.floats(Quaternions.product(Quaternions.around(axis, tick * radians), start));
            snapshot = world.tick(poses -> {
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

    private static void assertTurns(MotionBreaks breaks, double[] axis, double turnsPerTick) {
        assertThat(breaks.count()).isEqualTo(1);
        assertThat(breaks.kind(0)).isEqualTo(MotionBreaks.Kind.SPINNING);
        assertThat(breaks.index(0)).isEqualTo(1);
        double radians = 2 * Math.PI * turnsPerTick;
        double dx = breaks.x(0) - radians * axis[0];
        double dy = breaks.y(0) - radians * axis[1];
        double dz = breaks.z(0) - radians * axis[2];
        assertThat(Math.sqrt(dx * dx + dy * dy + dz * dz)).isLessThan(1e-3 * radians);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5001, 0.51, 0.9, 0.999, 1, 1.001, 1.1, 1.5, 2.7, 3, 10.3})
    void shouldReportTurnsAboveHalfATurn(double turnsPerTick) {
        for (int i = 0; i < 50; i++) {
            double[] axis = Quaternions.randomAxis(random);
            assertTurns(spin(axis, turnsPerTick, 1), axis, turnsPerTick);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 0.3, 0.49, 0.4999})
    void shouldLeaveSlowerWheelsToTheirRotations(double turnsPerTick) {
        for (int i = 0; i < 50; i++) {
            assertThat(spin(Quaternions.randomAxis(random), turnsPerTick, 1).count())
                    .isZero();
        }
    }

    /** The angular velocity gives the number of full turns; the rotations give the rest. */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 1.5, 2.7})
    void shouldTrustTheRotationsMoreThanTheAngularVelocity(double turnsPerTick) {
        for (int i = 0; i < 50; i++) {
            double[] axis = Quaternions.randomAxis(random);
            double said = 1 + random.nextDouble(-0.4, 0.4) / turnsPerTick;
            assertTurns(spin(axis, turnsPerTick, said), axis, turnsPerTick);
        }
    }

    @Test
    void shouldNotSpinABodyWithoutAPast() {
        CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        for (int tick = 1; tick <= 2; tick++) { // the second body reuses the slot of the first
            boolean again = tick == 2;
            MotionBreaks breaks = world.tick(poses -> {
                        if (again) {
                            poses.despawn(BodyId.of(0, 1));
                        }
                        poses.spawn(7);
                        poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                        poses.angularVelocity(0, 1000, 0, 0);
                    })
                    .motion(0)
                    .breaks();
            for (int s = 0; s < breaks.count(); s++) {
                assertThat(breaks.kind(s)).isEqualTo(MotionBreaks.Kind.BROKEN);
            }
        }
    }
}
