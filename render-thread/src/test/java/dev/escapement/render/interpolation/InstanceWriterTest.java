package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.joml.Matrix4f;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceWriterTest {

    private static final double ORIGIN = 1e7;
    private static final double CAMERA = 1e7 + 3;
    private static final int BODIES = 2500;
    private static final int HOLE = 1030;

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final Interpolator moment = new Interpolator(Interpolation.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(3);

    InstanceWriterTest() {
        Snapshot first = world.tick(poses -> {
            poses.origin(ORIGIN, 0, -ORIGIN);
            for (int body = 0; body < BODIES; body++) {
                poses.spawn(body);
                double[] q = Exact.randomRotation(random);
                poses.set(body, body, body / 2f, 1, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
            }
        });
        Snapshot second = world.tick(poses -> {
            for (int body = 0; body < BODIES; body++) {
                double[] q = Exact.turned(Exact.rotation(first.poses(), body), new double[] {0, 1, 0}, 0.3);
                poses.set(body, body + 1, body / 2f, 1, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
            }
        });
        Snapshot third = world.tick(poses -> poses.despawn(BodyId.of(HOLE, 1)));
        Snapshot fourth = world.tick(poses -> poses.set(0, 1000, 0, 0, 0, 0, 0, 1));
        assertThat(second.tick() + 2).isEqualTo(fourth.tick());
        moment.show(third, fourth, 0.25f, CapturedWorld.RATE.dtSeconds());
    }

    @Test
    void shouldWriteEveryBodyRelativeToTheCameraWithoutGaps() {
        InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
        FloatBuffer out = direct(BODIES * 7 + 2).position(2);
        assertThat(writer.write(moment, CAMERA, 1, -ORIGIN, out)).isEqualTo(BODIES - 1);
        assertThat(out.position()).isEqualTo(2);
        PoseBlock[] blocks = {moment.block(0), moment.block(1), moment.block(2)};
        for (int instance = 0; instance < BODIES - 1; instance++) {
            int slot = writer.slot(instance);
            assertThat(slot).isEqualTo(instance < HOLE ? instance : instance + 1);
            PoseBlock block = blocks[slot >>> PoseBlock.SHIFT];
            int i = slot & PoseBlock.MASK;
            float[] expected = {
                block.px[i] - 3, block.py[i] - 1, block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]
            };
            float[] actual = new float[7];
            out.get(2 + 7 * instance, actual);
            assertThat(actual).containsExactly(expected);
        }
        assertThat(out.get(0) + out.get(1)).as("before the buffer's position").isZero();
    }

    @Test
    void shouldFindTheSlotOfEachInstanceBesideBlocksWithoutBodies() {
        Snapshot before = world.tick();
        Snapshot after = world.tick(poses -> {
            for (int body = 0; body < 2 * PoseBlock.CAPACITY; body++) {
                if (body != 5 && body != HOLE) {
                    poses.despawn(BodyId.of(body, 1));
                }
            }
            poses.despawn(BodyId.of(BODIES - 1, 1));
        });
        moment.show(before, after, 1, CapturedWorld.RATE.dtSeconds());
        InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
        int bodies = writer.write(moment, 0, 0, 0, direct(BODIES * 7));
        assertThat(bodies).isEqualTo(BODIES - 2 * PoseBlock.CAPACITY);
        assertThat(writer.slot(0)).isEqualTo(5);
        for (int instance = 1; instance < bodies; instance++) {
            assertThat(writer.slot(instance)).isEqualTo(2 * PoseBlock.CAPACITY - 1 + instance);
        }
    }

    @Test
    void shouldWriteTheSameIntoAnArrayAndAGrowingBuffer() {
        for (InstanceFormat format : InstanceFormat.values()) {
            FloatBuffer direct = direct(BODIES * format.floats());
            new InstanceWriter(format).write(moment, CAMERA, 1, 2, direct);
            float[] array = new float[BODIES * format.floats()];
            assertThat(new InstanceWriter(format).write(moment, CAMERA, 1, 2, array))
                    .isEqualTo(BODIES - 1);
            InstanceBuffer growing = new InstanceBuffer(format);
            FloatBuffer grown = growing.write(moment, CAMERA, 1, 2);
            assertThat(grown.isDirect()).isTrue();
            assertThat(grown.remaining()).isEqualTo((BODIES - 1) * format.floats());
            for (int i = 0; i < grown.remaining(); i++) {
                assertThat(direct.get(i)).isEqualTo(array[i]);
                assertThat(grown.get(i)).isEqualTo(array[i]);
            }
            assertThat(growing.write(moment, CAMERA, 1, 2)).isSameAs(grown);
            assertThat(growing.slot(HOLE)).isEqualTo(HOLE + 1);
        }
    }

    @Test
    void shouldWriteTheMatrixThatJomlMakesOfThePose() {
        float[] poses = new float[BODIES * 7];
        float[] matrices = new float[BODIES * 16];
        int bodies = new InstanceWriter(InstanceFormat.POSE).write(moment, CAMERA, 0, 0, poses);
        new InstanceWriter(InstanceFormat.MATRIX).write(moment, CAMERA, 0, 0, matrices);
        float[] expected = new float[16];
        for (int body = 0; body < bodies; body++) {
            int at = body * 7;
            new Matrix4f()
                    .translationRotate(
                            new Vector3f(poses[at], poses[at + 1], poses[at + 2]),
                            new Quaternionf(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]))
                    .get(expected);
            for (int i = 0; i < 16; i++) {
                assertThat(matrices[body * 16 + i])
                        .isCloseTo(expected[i], within(2e-6f * Math.max(1, Math.abs(expected[i]))));
            }
        }
    }

    @Test
    void shouldKeepMillimetresFarFromTheOrigin() {
        float[] near = new float[BODIES * 7];
        new InstanceWriter(InstanceFormat.POSE).write(moment, ORIGIN + 500.0625, 0, 0, near);
        assertThat(near[7 * 500]).isEqualTo(501 - 500.0625f);
    }

    static Stream<Arguments> buffersOfTheWrongKind() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BODIES * 28);
        ByteOrder other =
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        return Stream.of(
                Arguments.of(FloatBuffer.allocate(BODIES * 7), "not direct, writable, in order"),
                Arguments.of(direct(BODIES * 7).asReadOnlyBuffer(), "direct, read-only, in order"),
                Arguments.of(bytes.duplicate().order(other).asFloatBuffer(), "direct, writable, in order " + other));
    }

    @ParameterizedTest
    @MethodSource("buffersOfTheWrongKind")
    void shouldRefuseABufferThatNoGraphicsCardCouldRead(FloatBuffer out, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceWriter(InstanceFormat.POSE).write(moment, 0, 0, 0, out))
                .withMessageStartingWith(
                        "instances need a direct, writable buffer in native order, but this one is " + why);
    }

    @Test
    void shouldRefuseABufferThatIsTooSmallAndWriteNothing() {
        InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
        float[] small = new float[(BODIES - 1) * 7 - 1];
        String message = "2499 bodies in format POSE need 17493 floats, but there is room for 17492";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.write(moment, 0, 0, 0, small))
                .withMessage(message);
        assertThat(small).containsOnly(0);
        FloatBuffer direct = direct(small.length);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.write(moment, 0, 0, 0, direct))
                .withMessage(message);
        assertThat(direct.get(0)).isZero();
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> writer.slot(0))
                .withMessage("there is no instance 0 of 0");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseACameraThatIsNowhere(double bad) {
        float[] out = new float[BODIES * 7];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceWriter(InstanceFormat.POSE).write(moment, 0, bad, 0, out))
                .withMessage("a camera must be finite, but is at (0.0, " + bad + ", 0.0)");
        assertThat(Arrays.equals(out, new float[out.length])).isTrue();
    }

    private static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
