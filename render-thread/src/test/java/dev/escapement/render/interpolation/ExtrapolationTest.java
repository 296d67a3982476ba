package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtrapolationTest {

    private static final double TICK_SECONDS = CapturedWorld.RATE.dtSeconds();
    private static final double[] AXIS = {0.48, 0.6, 0.64};
    private static final double[] START = {0.5, 0.5, 0.5, 0.5};
    private static final int MOVER = 0;
    private static final int TELEPORTED = 1;
    private static final int JUMPED = 2;
    private static final int SPAWNED = 3;

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final Snapshot first = world.tick(poses -> {
        poses.bodyCount(3);
        set(poses, MOVER, 10, 0);
        set(poses, TELEPORTED, 10, 0);
        set(poses, JUMPED, 10, 0);
    });
    private final Snapshot second = world.tick(poses -> {
        poses.origin(100, 0, 0);
        poses.bodyCount(4);
        set(poses, MOVER, 12 - 100, 0.4);
        poses.teleport(TELEPORTED);
        set(poses, TELEPORTED, 5000, 0.4);
        poses.teleportBy(JUMPED, 1000, 0, 0);
        set(poses, JUMPED, 1012 - 100, 0.4);
        set(poses, SPAWNED, 3, 0);
    });
    private final Interpolator extrapolating =
            new Interpolator(new Interpolation(Interpolation.Positions.LINEAR, Interpolation.Rotations.SLERP, 0.5f));

    @ParameterizedTest
    @ValueSource(floats = {0.01f, 0.25f, 0.5f})
    void shouldGoOnAsItWent(float beyond) {
        extrapolating.show(first, second, 1 + beyond, TICK_SECONDS);
        assertThat(extrapolating.shown()).isSameAs(second);
        assertThat(x(MOVER)).isCloseTo(12 - 100 + 2 * beyond, within(1e-4f));
        assertThat(x(JUMPED)).isCloseTo(1012 - 100 + 2 * beyond, within(1e-4f));
        double[] expected = Exact.turned(START, AXIS, 0.4 * (1 + beyond));
        assertThat(Exact.angleBetween(Exact.rotation(extrapolating.poses(), MOVER), expected))
                .isLessThan(1e-6);
    }

    @Test
    void shouldLeaveWhereItIsWhatHasNoKnownMotion() {
        extrapolating.show(first, second, 1.5f, TICK_SECONDS);
        assertThat(x(TELEPORTED)).isEqualTo(5000);
        assertThat(x(SPAWNED)).isEqualTo(3);
        assertThat(Exact.rotation(extrapolating.poses(), TELEPORTED))
                .isEqualTo(Exact.rotation(second.poses(), TELEPORTED));
    }

    @Test
    void shouldStopAtTheBound() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> extrapolating.show(first, second, 1.5001f, TICK_SECONDS))
                .withMessage("alpha must be within 0 and 1.5, but is 1.5001");
    }

    private float x(int slot) {
        return extrapolating.poses().block(0).px[slot];
    }

    private static void set(PoseWriter poses, int slot, float x, double angle) {
        double[] q = Exact.turned(START, AXIS, angle);
        poses.set(slot, x, 0, 0, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
    }
}
