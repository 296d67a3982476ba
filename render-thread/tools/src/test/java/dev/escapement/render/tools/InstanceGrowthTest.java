package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.lang.management.ManagementFactory;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A world that gains a body a frame: the buffers of its instances grow a few times, not with every frame. */
class InstanceGrowthTest {

    private static final int BODIES = 5000;

    /** From 1 body to 5,000 by doubling takes 13 steps. */
    private static final int MAX_BUFFERS = 14;

    private final Set<FloatBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());

    @Test
    void shouldSeldomMakeANewBufferForOneBodyMore() {
        CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        Interpolator moment = new Interpolator(Interpolation.DEFAULT);
        InstanceBuffer instances = new InstanceBuffer();
        Snapshot previous = world.tick();
        for (int body = 0; body < BODIES; body++) {
            int born = body;
            Snapshot current = world.tick(poses -> {
                poses.spawn(born);
                poses.set(born, born + 0.5f, 0, 0, 0, 0, 0, 1);
            });
            moment.show(previous, current, 1);

            FloatBuffer written = instances.write(moment, 0, 0, 0);

            assertThat(written.position()).isZero();
            assertThat(written.limit()).isEqualTo((body + 1) * InstanceBuffer.FLOATS);
            assertThat(written.get(body * InstanceBuffer.FLOATS)).isEqualTo(body + 0.5f);
            assertThat(instances.slot(body)).isEqualTo(body);
            buffers.add(written);
            previous = current;
        }
        assertThat(buffers.size()).isLessThanOrEqualTo(MAX_BUFFERS);
    }

    /** The buffer, and the list of slots: exact growth would allocate 50 MB in all. */
    @Test
    void shouldAllocateLittleForSlotsThatComeOneByOne() {
        PoseBlocks poses = new PoseBlocks(BODIES);
        poses.resize(BODIES);
        InstanceBuffer instances = new InstanceBuffer();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int slots = 1; slots <= BODIES; slots++) {
            poses.resize(slots);
            buffers.add(instances.write(poses));
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000_000);
        assertThat(buffers.size()).isLessThanOrEqualTo(MAX_BUFFERS);
        assertThat(instances.slot(BODIES - 1)).isEqualTo(BODIES - 1);
    }
}
