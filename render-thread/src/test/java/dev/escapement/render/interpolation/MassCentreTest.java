package dev.escapement.render.interpolation;

import static dev.escapement.render.interpolation.Exact.distance;
import static dev.escapement.render.interpolation.Exact.rotated;
import static dev.escapement.render.interpolation.Exact.sum;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.capture.Quaternions;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a body that turns about its centre of mass, 1.5 m from its position. */
class MassCentreTest {

    private static final double HALF_A_MILLIMETRE = 5e-4;

    /** The rounding of float positions 16 m from the origin, in metres. */
    private static final double ROUNDING = 1e-5;

    private static final double[] AXIS = {0.48, 0.6, 0.64};

    /** The centre of mass relative to the position, perpendicular to the axis. */
    private static final double[] OFFSET = Exact.scaled(new double[] {0.6, -0.48, 0}, 1.5 / Math.hypot(0.6, 0.48));

    private static final double[] CENTRE = {10, 2, -1};

    /** Radians per tick: 7 rad/s at 20 Hz. */
    private static final double SLOW = 0.35;

    /** Radians per tick: 30 rad/s at 100 Hz. */
    private static final double FAST = 0.3;

    private static final int FRAMES = 128;
    private static final int BODY = 0;

    private final LastTicks last = new LastTicks(new CapturedWorld(4, 1, 1, PoseLayout.PLAIN));
    private final Interpolator view = new Interpolator(Interpolation.DEFAULT.lookAhead(2));

    private void ticks(int count, double radians) {
        for (int i = 0; i < count; i++) {
            last.tick(poses -> {
                if (poses.tick() == 1) {
                    poses.bodyCount(1);
                    offset(poses, OFFSET);
                }
                set(poses, CENTRE, OFFSET, radians * (double) poses.tick());
            });
        }
    }

    private static void offset(PoseWriter poses, double[] offset) {
        poses.centreOfMass(BODY, (float) offset[0], (float) offset[1], (float) offset[2]);
    }

    private static void set(PoseWriter poses, double[] centre, double[] offset, double angle) {
        double[] turn = Quaternions.around(AXIS, angle);
        double[] at = sum(centre, rotated(turn, offset), -1);
        float[] q = Quaternions.floats(turn);
        poses.set(BODY, (float) at[0], (float) at[1], (float) at[2], q[0], q[1], q[2], q[3]);
    }

    private static double[] place(PoseBlocks poses) {
        PoseBlock block = poses.block(0);
        return new double[] {block.px[BODY], block.py[BODY], block.pz[BODY]};
    }

    private static double[] centre(PoseBlocks poses, double[] offset) {
        return sum(place(poses), rotated(Exact.rotation(poses, BODY), offset), 1);
    }

    private double[] centre(double[] offset) {
        return centre(view.poses(), offset);
    }

    /** Returns the body's largest distance from its true path between the last two ticks, when it turns by {@code radians} per tick. */
    private double worst(double radians) {
        double worst = 0;
        for (int frame = 0; frame <= FRAMES; frame++) {
            float alpha = (float) frame / FRAMES;
            view.show(last.previous, last.current, alpha);
            double[] turn = Quaternions.around(AXIS, radians * (last.previous.tick() + alpha));
            double[] way = sum(CENTRE, rotated(turn, OFFSET), -1);
            worst = Math.max(worst, distance(place(view.poses()), way));
        }
        return worst;
    }

    @ParameterizedTest
    @ValueSource(doubles = {SLOW, FAST, 2})
    void shouldKeepABodyOnItsWay(double radians) {
        ticks(4, radians);
        assertThat(worst(radians)).isLessThan(HALF_A_MILLIMETRE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.51, 17.8, -3.2})
    void shouldKeepAFastSpinningBodyOnItsWay(double turnsPerTick) {
        double radians = 2 * Math.PI * turnsPerTick;
        ticks(3, radians);
        last.tick(poses -> {
            set(poses, CENTRE, OFFSET, 4 * radians);
            double speed = radians / CapturedWorld.RATE.dtSeconds();
            poses.angularVelocity(
                    BODY, (float) (speed * AXIS[0]), (float) (speed * AXIS[1]), (float) (speed * AXIS[2]));
        });
        assertThat(worst(radians)).isLessThan(HALF_A_MILLIMETRE);
    }

    /** The body is displayed behind the portal during the whole tick. */
    @Test
    void shouldKeepABodyThatTeleportsOnItsWay() {
        ticks(3, SLOW);
        double[] there = {100, 0, 0};
        last.tick(poses -> {
            set(poses, sum(CENTRE, there, 1), OFFSET, 4 * SLOW);
            poses.teleportBy(BODY, 100, 0, 0);
        });
        for (float alpha : new float[] {0.01f, 0.5f, 0.99f}) {
            view.show(last.previous, last.current, alpha);
            assertThat(distance(centre(OFFSET), sum(CENTRE, there, 1))).isLessThan(HALF_A_MILLIMETRE);
        }
    }

    @Test
    void shouldShowTheOldPoseUntilABodyHasTeleported() {
        ticks(3, SLOW);
        last.tick(poses -> {
            set(poses, sum(CENTRE, OFFSET, 9), OFFSET, 7);
            poses.teleport(BODY);
        });
        view.show(last.previous, last.current, 0.5f);
        assertThat(place(view.poses())).containsExactly(place(last.previous.poses()));
    }

    /** The error of the previous tick's prediction fades in the first quarter of a tick. */
    @ParameterizedTest
    @ValueSource(floats = {0.05f, 1})
    void shouldKeepTheCentreOnItsWayInPredictions(float ahead) {
        ticks(2, SLOW);
        for (int tick = 3; tick < 20; tick++) {
            double angle = tick + 0.2 * Math.sin(tick); // varying speed
            double[] centre = sum(CENTRE, new double[] {0.5, 0, 0.25}, tick % 5 == 4 ? 1 : 0); // moves in some ticks
            last.tick(poses -> set(poses, centre, OFFSET, angle));
            for (int frame = 0; tick > 5 && frame <= FRAMES; frame++) {
                float alpha = (float) frame / FRAMES;
                view.show(last.beforePrevious, last.previous, last.current, alpha, ahead);
                float since = alpha + ahead;
                double faded = Math.min(1, alpha / Math.min(0.25, ahead));
                double fading = 1 - faded * faded * (3 - 2 * faded);
                double[] c = centre(last.current.poses(), OFFSET);
                double[] b = centre(last.previous.poses(), OFFSET);
                double[] a = centre(last.beforePrevious.poses(), OFFSET);
                double[] now = sum(b, sum(c, b, -1), since);
                double[] old = sum(b, sum(b, a, -1), since);
                assertThat(distance(centre(OFFSET), sum(now, sum(old, now, -1), fading)))
                        .as("tick %s, %s", tick, since)
                        .isLessThan(ROUNDING);
            }
        }
    }

    /** The view predicts the body from its last motion until the tick in which it teleports or vanishes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPredictTheCentreUntilTheMotionBreaks(boolean vanishes) {
        ticks(4, SLOW);
        last.tick(poses -> {
            if (vanishes) {
                poses.despawn(BodyId.of(BODY, 1));
            } else {
                poses.set(BODY, 50, 50, 50, 0, 0, 0, 1);
                poses.teleport(BODY);
            }
        });
        view.show(last.beforePrevious, last.previous, last.current, 0.25f, 0.5f);
        assertThat(distance(centre(OFFSET), CENTRE)).isLessThan(ROUNDING);
    }

    /** A re-simulation gives the body another rotation. The view blends from the corrected rotation, about the centre of mass. */
    @Test
    void shouldTurnAboutTheCentreFromTheCorrectedPose() throws Exception {
        ticks(4, SLOW);
        last.world.again(poses -> set(poses, CENTRE, OFFSET, 9));
        last.tick(poses -> set(poses, CENTRE, OFFSET, 9.3));
        view.show(last.previous, last.current, 0.5f);
        assertThat(distance(centre(OFFSET), CENTRE)).isLessThan(ROUNDING);
        view.show(last.beforePrevious, last.previous, last.current, 0.5f, 0.5f);
        assertThat(distance(centre(OFFSET), CENTRE)).as("predicted").isLessThan(ROUNDING);
    }
}
