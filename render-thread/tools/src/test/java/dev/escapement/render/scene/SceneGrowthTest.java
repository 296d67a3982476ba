package dev.escapement.render.scene;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class SceneGrowthTest {

    private static final int BLOCKS = 64;

    /** A block of poses takes 28 KB; growth to the exact size would make it 550 KB, and more in a larger world. */
    private static final long MAX_BYTES_A_BLOCK = 150_000;

    private final CapturedWorld world = new CapturedWorld(1, BLOCKS * PoseBlock.CAPACITY, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final CountedScene scene = new CountedScene(view);

    @Test
    void shouldAllocateInProportionToAWorldThatGrowsBlockByBlock() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (int block = 1; block <= BLOCKS; block++) {
            int bodies = block * PoseBlock.CAPACITY;
            world.tick(poses -> {
                poses.bodyCount(bodies);
                for (int slot = bodies - PoseBlock.CAPACITY; slot < bodies; slot++) {
                    poses.set(slot, slot, 0, 0, 0, 0, 0, 1);
                }
            });
            long before = threads.getCurrentThreadAllocatedBytes();
            scene.advance(world.timeline().dueNanos(world.ticks()));
            bytes += threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(scene.nodes).isGreaterThan((BLOCKS - 3) * PoseBlock.CAPACITY);
        assertThat(bytes / BLOCKS).isLessThan(MAX_BYTES_A_BLOCK);
    }

    private static final class CountedScene extends SceneBodies<Object> {

        private int nodes;

        CountedScene(FrameView view) {
            super(view, new SceneOrigin());
        }

        @Override
        protected Object add(long bodyId, long userData) {
            nodes++;
            return this;
        }

        @Override
        protected void remove(Object node) {
            nodes--;
        }

        @Override
        protected void place(Object node, float x, float y, float z, float qx, float qy, float qz, float qw) {
            // the place does not matter
        }
    }
}
