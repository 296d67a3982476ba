package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a wheel that turns by more than half a turn per tick never appears to turn backwards or too slowly. */
class SpinnerTest {

    private static final double TICK_SECONDS = CapturedWorld.RATE.dtSeconds();
    private static final double[] AXIS = {0.48, 0.6, 0.64};

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.51, 1, 17.8, -3.2})
    void shouldTurnAtConstantSpeedTheWayItSpins(double turnsPerTick) {
        CapturedWorld world = new CapturedWorld(1, 1, PoseLayout.PLAIN);
        double angle = 2 * Math.PI * turnsPerTick;
        double[] start = {0.1, 0.7, 0.1, 0.7};
        Snapshot first = world.tick(poses -> {
            poses.bodyCount(1);
            set(poses, start, 0);
        });
        Snapshot second = world.tick(poses -> set(poses, start, angle));

        Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);
        for (float alpha : new float[] {0.1f, 0.5f, 0.999f}) {
            interpolator.show(first, second, alpha);
            double[] shown = Exact.rotation(interpolator.poses(), 0);
            double[] expected = Exact.turned(start, AXIS, angle * alpha);
            double off = Exact.angleBetween(shown, expected);
            double offOtherSign = Exact.angleBetween(shown, Exact.scaled(expected, -1));
            assertThat(2 * Math.min(off, offOtherSign)).as("at %s", alpha).isLessThan(2e-5);
        }
    }

    private static void set(PoseWriter poses, double[] start, double angle) {
        double[] q = Exact.turned(start, AXIS, angle);
        poses.set(0, 0, 0, 0, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
        double speed = angle / TICK_SECONDS;
        poses.angularVelocity(0, (float) (speed * AXIS[0]), (float) (speed * AXIS[1]), (float) (speed * AXIS[2]));
    }
}
