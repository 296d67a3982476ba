package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.escapement.render.interpolation.Exact;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceBufferTest {

    private static final double ORIGIN = 1e7;
    private static final double CAMERA = 1e7 + 3;
    private static final int BODIES = 2500;
    private static final int HOLE = 1030;

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final Interpolator moment = new Interpolator(Interpolation.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(3);

    InstanceBufferTest() {
        world.tick(poses -> {
            poses.origin(ORIGIN, 0, -ORIGIN);
            for (int body = 0; body < BODIES; body++) {
                poses.spawn(body);
                double[] q = Exact.randomRotation(random);
                poses.set(body, body, body / 2f, 1, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
            }
        });
        Snapshot second = world.tick(poses -> poses.despawn(BodyId.of(HOLE, 1)));
        Snapshot third = world.tick(poses -> poses.set(0, 1000, 0, 0, 0, 0, 0, 1));
        moment.show(second, third, 0.25f);
    }

    @Test
    void shouldWriteEveryBodyRelativeToTheCameraWithoutGaps() {
        InstanceBuffer buffer = new InstanceBuffer();
        FloatBuffer out = buffer.write(moment, CAMERA, 1, -ORIGIN);
        assertThat(out.isDirect()).isTrue();
        assertThat(out.order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(out.remaining()).isEqualTo((BODIES - 1) * 7);
        PoseBlock[] blocks = {moment.block(0), moment.block(1), moment.block(2)};
        for (int instance = 0; instance < BODIES - 1; instance++) {
            int slot = buffer.slot(instance);
            assertThat(slot).isEqualTo(instance < HOLE ? instance : instance + 1);
            PoseBlock block = blocks[slot >>> PoseBlock.SHIFT];
            int i = slot & PoseBlock.MASK;
            float[] expected = {
                block.px[i] - 3, block.py[i] - 1, block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]
            };
            float[] actual = new float[7];
            out.get(7 * instance, actual);
            assertThat(actual).containsExactly(expected);
        }
        assertThat(buffer.write(moment, CAMERA, 1, -ORIGIN)).isSameAs(out);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> buffer.slot(BODIES - 1))
                .withMessage("there is no instance 2499 of 2499");
    }

    @Test
    void shouldFindSlotsBesideBlocksWithoutBodies() {
        Snapshot previous = world.tick();
        Snapshot current = world.tick(poses -> {
            for (int body = 0; body < 2 * PoseBlock.CAPACITY; body++) {
                if (body != 5 && body != HOLE) {
                    poses.despawn(BodyId.of(body, 1));
                }
            }
            poses.despawn(BodyId.of(BODIES - 1, 1));
        });
        moment.show(previous, current, 1);
        InstanceBuffer buffer = new InstanceBuffer();
        int bodies = buffer.write(moment, 0, 0, 0).remaining() / 7;
        assertThat(bodies).isEqualTo(BODIES - 2 * PoseBlock.CAPACITY);
        assertThat(buffer.slot(0)).isEqualTo(5);
        for (int instance = 1; instance < bodies; instance++) {
            assertThat(buffer.slot(instance)).isEqualTo(2 * PoseBlock.CAPACITY - 1 + instance);
        }
    }

    @Test
    void shouldKeepMillimetresFarFromTheOrigin() {
        FloatBuffer near = new InstanceBuffer().write(moment, ORIGIN + 500.0625, 0, 0);
        assertThat(near.get(7 * 500)).isEqualTo(500 - 500.0625f);
    }

    /** The buffer and the array of slots double when full. If the array grew by one slot each time, it would allocate 50 MB in all. */
    @Test
    void shouldAllocateLittleForSlotsThatComeOneByOne() {
        PoseBlocks poses = new PoseBlocks(5000);
        InstanceBuffer instances = new InstanceBuffer();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int slots = 1; slots <= 5000; slots++) {
            poses.resize(slots);
            instances.write(poses);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000_000);
        assertThat(instances.slot(4999)).isEqualTo(4999);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseACameraThatIsNowhere(double bad) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceBuffer().write(moment, 0, bad, 0))
                .withMessage("a camera must be finite, but is at (0.0, " + bad + ", 0.0)");
    }
}
