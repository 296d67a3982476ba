package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterpolatorTest {

    private static final int BODIES = 2500;

    private final Interpolator interpolator = new Interpolator();
    private final PoseBlocks from = new PoseBlocks(BODIES);
    private final PoseBlocks to = new PoseBlocks(BODIES);
    private final PoseBlocks out = new PoseBlocks(0);

    @ParameterizedTest
    @ValueSource(floats = {0, 0.001f, 0.25f, 0.5f, 0.77f, 1})
    void shouldFollowTheArcToFloatAccuracy(float alpha) {
        SplittableRandom random = new SplittableRandom(5);
        double[][] a = new double[BODIES][];
        double[][] b = new double[BODIES][];
        from.resize(BODIES);
        to.resize(BODIES);
        for (int body = 0; body < BODIES; body++) {
            a[body] = randomQuaternion(random);
            b[body] = randomQuaternion(random);
            if (dot(a[body], b[body]) < 0) {
                scale(b[body], -1); // as the writer aligns them
            }
            set(from, body, body, a[body]);
            set(to, body, body + 10, b[body]);
        }

        interpolator.interpolate(from, to, alpha, out);

        for (int body = 0; body < BODIES; body++) {
            double[] expected = slerp(a[body], b[body], alpha);
            double[] actual = rotation(out, body);
            double length = Math.sqrt(dot(actual, actual));
            assertThat(length).isBetween(1 - 3e-6, 1 + 3e-6);
            scale(actual, 1 / length);
            assertThat(angleBetween(actual, expected)).as("body %d", body).isLessThan(1e-6);
            assertThat((double) out.blockOf(body).px[body & PoseBlock.MASK])
                    .isBetween(body + 10 * alpha - 2e-4, body + 10 * alpha + 2e-4);
        }
    }

    @Test
    void shouldHideWhatIsNotSpawnedYetAndKeepWhatIsGoneUntilThen() {
        double[] none = {0, 0, 0, 1};
        from.resize(1);
        to.resize(2);
        set(from, 0, 4, none);
        set(to, 0, 8, none);
        set(to, 1, 9, none);
        interpolator.interpolate(from, to, 0.5f, out);
        assertThat(out.bodyCount()).isEqualTo(1);
        assertThat(out.block(0).px[0]).isEqualTo(6);

        interpolator.interpolate(to, from, 0.5f, out);
        assertThat(out.bodyCount()).isEqualTo(2);
        assertThat(out.block(0).px[1]).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(floats = {-0.001f, 1.001f, Float.NaN, Float.POSITIVE_INFINITY})
    void shouldRefuseAnAlphaThatIsNone(float alpha) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> interpolator.interpolate(from, to, alpha, out))
                .withMessage("alpha must be within 0 and 1, but is " + alpha);
    }

    @Test
    void shouldInterleaveEveryBodyInOrder() {
        double[] rotation = {0.1, 0.2, 0.3, 0.9};
        InstanceBuffer buffer = new InstanceBuffer();
        assertThat(buffer.write(from).remaining()).isZero();
        from.resize(BODIES);
        for (int body = 0; body < BODIES; body++) {
            set(from, body, body, rotation);
        }
        FloatBuffer floats = buffer.write(from);
        assertThat(floats.isDirect()).isTrue();
        assertThat(floats.remaining()).isEqualTo(BODIES * InstanceBuffer.FLOATS_PER_BODY);
        for (int body = 0; body < BODIES; body++) {
            assertThat(floats.get()).isEqualTo(body);
            assertThat(floats.get()).isEqualTo(2);
            assertThat(floats.get()).isEqualTo(3);
            for (double component : rotation) {
                assertThat(floats.get()).isEqualTo((float) component);
            }
        }
        assertThat(buffer.write(from)).isSameAs(floats);
    }

    private static void set(PoseBlocks poses, int body, float x, double[] q) {
        poses.blockOf(body).set(body & PoseBlock.MASK, x, 2, 3, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
    }

    private static double[] rotation(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new double[] {block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }

    private static double[] randomQuaternion(SplittableRandom random) {
        double[] q = new double[4];
        for (int i = 0; i < 4; i++) {
            q[i] = random.nextDouble(-1, 1);
        }
        scale(q, 1 / Math.sqrt(dot(q, q)));
        return q;
    }

    /** The definition, in doubles. */
    private static double[] slerp(double[] a, double[] b, double t) {
        double angle = angleBetween(a, b);
        double[] result = new double[4];
        for (int i = 0; i < 4; i++) {
            result[i] = (Math.sin((1 - t) * angle) * a[i] + Math.sin(t * angle) * b[i]) / Math.sin(angle);
        }
        return result;
    }

    /** Accurate for small angles too, unlike the arc cosine. */
    private static double angleBetween(double[] a, double[] b) {
        double difference = 0;
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            difference += (a[i] - b[i]) * (a[i] - b[i]);
            sum += (a[i] + b[i]) * (a[i] + b[i]);
        }
        return 2 * Math.atan2(Math.sqrt(difference), Math.sqrt(sum));
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static void scale(double[] q, double factor) {
        for (int i = 0; i < 4; i++) {
            q[i] *= factor;
        }
    }
}
