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
    private static final int SLOTS = 3500;

    /** The empty slots: the rest of the second block, and the third block. */
    private static final int GAP = 1030;

    private static final int GAP_END = 3 * PoseBlock.CAPACITY;
    private static final int BODIES = SLOTS - (GAP_END - GAP);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final Interpolator moment = new Interpolator(Interpolation.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(3);

    InstanceBufferTest() {
        world.tick(poses -> {
            poses.origin(ORIGIN, 0, -ORIGIN);
            for (int body = 0; body < SLOTS; body++) {
                poses.spawn(body);
                double[] q = Exact.randomRotation(random);
                poses.set(body, body, body / 2f, 1, (float) q[0], (float) q[1], (float) q[2], (float) q[3]);
            }
        });
        Snapshot second = world.tick(poses -> {
            for (int slot = GAP; slot < GAP_END; slot++) {
                poses.despawn(BodyId.of(slot, 1));
            }
        });
        Snapshot third = world.tick(poses -> poses.set(0, 1000, 0, 0, 0, 0, 0, 1));
        moment.show(second, third, 0.25f);
    }

    @Test
    void shouldWriteEveryBodyRelativeToTheCameraWithoutGaps() {
        InstanceBuffer buffer = new InstanceBuffer();
        FloatBuffer out = buffer.write(moment, CAMERA, 1, -ORIGIN);
        assertThat(out.isDirect()).isTrue();
        assertThat(out.order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(out.remaining()).isEqualTo(BODIES * 7);
        PoseBlock[] blocks = {moment.block(0), moment.block(1), moment.block(2), moment.block(3)};
        for (int instance = 0; instance < BODIES; instance++) {
            int slot = buffer.slot(instance);
            assertThat(slot).isEqualTo(instance < GAP ? instance : instance + GAP_END - GAP);
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
                .isThrownBy(() -> buffer.slot(BODIES))
                .withMessage("there is no instance 1458 of 1458");
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
