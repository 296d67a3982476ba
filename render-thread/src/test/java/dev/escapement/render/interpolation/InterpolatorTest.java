package dev.escapement.render.interpolation;

import static dev.escapement.render.interpolation.Exact.angleBetween;
import static dev.escapement.render.interpolation.Exact.dot;
import static dev.escapement.render.interpolation.Exact.rotation;
import static dev.escapement.render.interpolation.Exact.scaled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.capture.Quaternions;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterpolatorTest {

    private static final int BODIES = 2000;
    private static final float[] ALPHAS = {0.001f, 0.25f, 0.5f, 0.77f, 0.999f};

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(5);

    @Test
    void shouldShowTheSnapshotsThemselvesAtTheirTicks() {
        // 0.3 + (0.1 - 0.3) * 1 is not 0.1 in floats: at a tick nothing may be blended.
        Snapshot first = world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0.3f, -7.7f, 1e-9f, 0, 0, 0, 1);
        });
        Snapshot second = world.tick(poses -> poses.set(0, 0.1f, 1e8f, 3.3f, 0.6f, 0, 0, 0.8f));
        assertThat(shown(first, second, 0)).containsExactly(0.3f, -7.7f, 1e-9f, 0, 0, 0, 1);
        assertThat(shown(first, second, 1)).containsExactly(0.1f, 1e8f, 3.3f, 0.6f, 0, 0, 0.8f);
    }

    @Test
    void shouldLetABlockRestUntilABodyMoves() {
        Snapshot a = randomRotations();
        Snapshot b = world.tick();
        Snapshot c = world.tick(poses -> poses.set(1500, 1502, 0, 0, 0, 0, 0, 1));
        interpolator.show(a, b, 0.5f);
        assertThat(interpolator.restingSince(1)).isEqualTo(1);
        interpolator.show(b, c, 0.25f);
        assertThat(interpolator.restingSince(0)).isEqualTo(1);
        assertThat(interpolator.poses().blockOf(1500).px[1500 & PoseBlock.MASK]).isEqualTo(1500.5f);
        interpolator.show(b, c, 1);
        assertThat(interpolator.restingSince(1)).as("arrived").isEqualTo(3);
    }

    @Test
    void shouldBlendChannelsAsTheLayoutSays() {
        PoseLayout layout = new PoseLayout(List.of(
                new Channel("gear", Channel.Blending.STEP),
                new Channel("throttle", Channel.Blending.LINEAR),
                new Channel("wheel", Channel.Blending.ANGLE)));
        CapturedWorld driving = new CapturedWorld(1, 1, layout);
        Snapshot first = driving.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
            channels(poses, 3, 0.5f, 3.1f);
        });
        Snapshot second = driving.tick(poses -> channels(poses, 4, 1, -3.1f));
        interpolator.show(first, second, 0.75f);
        float[][] shown = interpolator.poses().block(0).channels;
        assertThat(shown[0][0]).isEqualTo(3);
        assertThat(shown[1][0]).isEqualTo(0.875f);
        assertThat(shown[2][0])
                .as("through pi, not through 0")
                .isCloseTo(3.1f + 0.75f * (2 * (float) Math.PI - 6.2f), within(1e-6f));
        interpolator.show(first, second, 1);
        assertThat(interpolator.poses().block(0).channels[0][0]).isEqualTo(4);
    }

    /** The arrays of the first tick have room for fewer bodies than the arrays of the second. */
    @Test
    void shouldShowAWorldThatGrows() {
        Snapshot before = world.tick(poses -> spawnAt(poses, 1));
        Snapshot first = world.tick(poses -> poses.set(0, 2, 0, 0, 0, 0, 0, 1));
        Snapshot second = world.tick(poses -> {
            poses.set(0, 3, 0, 0, 0, 0, 0, 1);
            for (int body = 1; body < 900; body++) {
                spawnAt(poses, 3);
            }
        });
        interpolator.show(first, second, 0.5f);
        assertThat(interpolator.poses().block(0).px[0]).isEqualTo(2.5f);
        assertThat(interpolator.shown().bodies().exists(899)).isFalse();
        interpolator.show(before, first, second, 0.5f, 1);
        assertThat(interpolator.poses().block(0).px[0]).as("predicted").isEqualTo(3.5f);
        assertThat(interpolator.poses().block(0).px[899]).isEqualTo(3);
    }

    private static void spawnAt(PoseWriter poses, float x) {
        poses.set(BodyId.slot(poses.spawn(7)), x, 0, 0, 0, 0, 0, 1);
    }

    @Test
    void shouldRefuseWhatCannotBeBlended() {
        Snapshot first = world.tick();
        Snapshot second = world.tick();
        Snapshot third = world.tick();
        for (float alpha : new float[] {-0.001f, 1.001f, Float.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> interpolator.show(first, second, alpha))
                    .withMessage("alpha must be within 0 and 1, but is " + alpha);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> interpolator.show(first, third, 0.5f))
                .withMessage("only consecutive ticks can be blended, but these are 1 and 3");
    }

    private static void channels(PoseWriter poses, float gear, float throttle, float wheel) {
        poses.channel(0, 0, gear);
        poses.channel(0, 1, throttle);
        poses.channel(0, 2, wheel);
    }

    private float[] shown(Snapshot previous, Snapshot current, float alpha) {
        interpolator.show(previous, current, alpha);
        PoseBlock block = interpolator.poses().block(0);
        return new float[] {block.px[0], block.py[0], block.pz[0], block.qx[0], block.qy[0], block.qz[0], block.qw[0]};
    }

    /** Bodies rotate by up to {@code largestTurn} radians per tick. Two rotations cannot express more than pi, 180 degrees. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.1, 0.65, 0.7, 1.4, 1.6, 2.15, Math.PI})
    void shouldFollowTheArcWithinAMicroradian(double largestTurn) {
        Snapshot previous = randomRotations();
        Snapshot current = world.tick(poses -> {
            for (int body = 0; body < BODIES; body++) {
                double[] q = rotation(previous.poses(), body);
                double[] turned =
                        Exact.turned(q, Quaternions.randomAxis(random), random.nextDouble(0.9, 1) * largestTurn);
                set(poses, body, scaled(turned, random.nextBoolean() ? 1 : -1));
            }
        });
        double worst = 0;
        double worstLength = 0;
        for (float alpha : ALPHAS) {
            interpolator.show(previous, current, alpha);
            for (int body = 0; body < BODIES; body++) {
                double[] expected =
                        Exact.slerp(rotation(previous.poses(), body), rotation(current.poses(), body), alpha);
                double[] actual = rotation(interpolator.poses(), body);
                double length = Math.sqrt(dot(actual, actual));
                worstLength = Math.max(worstLength, Math.abs(length - 1));
                // The body rotates by twice the angle between the quaternions.
                worst = Math.max(
                        worst,
                        2
                                * angleBetween(
                                        scaled(actual, 1 / length),
                                        scaled(expected, 1 / Math.sqrt(dot(expected, expected)))));
            }
        }
        assertThat(worst).isLessThan(1e-6);
        assertThat(worstLength).isLessThan(2e-6);
    }

    private Snapshot randomRotations() {
        return world.tick(poses -> {
            poses.bodyCount(BODIES);
            for (int body = 0; body < BODIES; body++) {
                set(poses, body, Exact.randomRotation(random));
            }
        });
    }

    private static void set(PoseWriter poses, int body, double[] q) {
        poses.set(body, body, 0, 0, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
    }
}
