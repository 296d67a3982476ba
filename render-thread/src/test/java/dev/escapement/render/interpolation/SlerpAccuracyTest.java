package dev.escapement.render.interpolation;

import static dev.escapement.render.interpolation.Exact.angleBetween;
import static dev.escapement.render.interpolation.Exact.dot;
import static dev.escapement.render.interpolation.Exact.rotation;
import static dev.escapement.render.interpolation.Exact.scaled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.capture.Quaternions;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlerpAccuracyTest {

    private static final int BODIES = 2000;
    private static final float[] ALPHAS = {0.001f, 0.25f, 0.5f, 0.77f, 0.999f};

    private final CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
    private final Interpolator slerp = new Interpolator(Interpolation.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(5);

    /** Bodies turn by up to {@code largestTurn} radians per tick. Half a turn, pi, is the most that two rotations can distinguish. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.1, 0.65, 0.7, 1.4, 1.6, 2.15, Math.PI})
    void shouldFollowTheArcWithinAMicroradian(double largestTurn) {
        Snapshot previous = worldOfRandomRotations();
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
            slerp.show(previous, current, alpha);
            for (int body = 0; body < BODIES; body++) {
                double[] expected =
                        Exact.slerp(rotation(previous.poses(), body), rotation(current.poses(), body), alpha);
                double[] actual = rotation(slerp.poses(), body);
                double length = Math.sqrt(dot(actual, actual));
                worstLength = Math.max(worstLength, Math.abs(length - 1));
                // The body turns by twice the angle between the quaternions.
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

    @ParameterizedTest
    @CsvSource({"0, 3", "-0.05, 3", "-0.06, 6", "-0.27, 6", "-0.28, 9", "-0.5, 9", "-0.51, 12", "-1, 12"})
    void shouldUseAsManyTermsAsTheLargestAngleNeeds(float leastCosMinusOne, int terms) {
        assertThat(VectorLoops.slerpTerms(leastCosMinusOne)).isEqualTo(terms);
    }

    private Snapshot worldOfRandomRotations() {
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
