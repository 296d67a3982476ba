package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which blocks are copied when a snapshot is used again, shown by a mark in the pose of a body that rests: it stays unless the block is
 * copied from another snapshot.
 */
class CopiedBlocksTest {

    private static final int BODIES = 2500;
    private static final int LAST = 2;
    private static final float[] POSITIONS = new float[3 * BODIES];
    private static final float[] ROTATIONS = new float[4 * BODIES];

    static {
        for (int i = 0; i < BODIES; i++) {
            ROTATIONS[4 * i + 3] = 1;
        }
    }

    private final List<PoseBlock> marked = new ArrayList<>();

    /** Whether the last block, seen before, was not copied since. */
    private boolean isKept(PoseBlock block) {
        int known = marked.indexOf(block);
        if (known < 0) {
            known = marked.size();
            marked.add(block);
            block.px[0] = known + 0.5f;
        }
        return block.px[0] == known + 0.5f;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCopyABlockThatRestsOnceToEachSnapshotAndThenNoMore(boolean channels) {
        PoseLayout layout =
                new PoseLayout(channels ? List.of(new Channel("wheel", Channel.Blending.ANGLE)) : List.of());
        CapturedWorld world = new CapturedWorld(2, BODIES, layout);
        world.tick(poses -> {
            poses.bodyCount(BODIES);
            poses.setAll(0, BODIES, POSITIONS, ROTATIONS);
        });
        for (int tick = 2; tick <= 50; tick++) {
            float x = tick;
            PoseBlock resting = world.tick(poses -> poses.set(0, x, 0, 0, 0, 0, 0, 1))
                    .poses()
                    .block(LAST);
            assertThat(tick < 30 || isKept(resting)).as("tick %d", tick).isTrue();
        }
        assertThat(marked).hasSizeBetween(4, 9);
    }
}
