package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Worlds that gain and lose blocks while windows are held. */
class GrowthTest {

    private static final PoseLayout LAYOUT = new PoseLayout(List.of());

    private static Snapshot tick(CapturedWorld world, int bodies) {
        return world.tick(poses -> {
            poses.bodyCount(bodies);
            for (int slot = 0; slot < bodies; slot++) {
                poses.set(slot, slot, (float) world.ticks(), 0, 0, 0, 0, 1);
            }
        });
    }

    /** Blocks are kept when the world shrinks, and used again. */
    @Test
    void shouldAllocateNothingWhenAWorldShrinksAndGrowsAgain() {
        CapturedWorld world = new CapturedWorld(3, 1, 0, LAYOUT);
        Map<Snapshot, PoseBlock> first = new HashMap<>();
        for (int tick = 0; tick < 20; tick++) {
            Snapshot snapshot = tick(world, 3000);
            first.put(snapshot, snapshot.poses().block(2));
        }
        for (int tick = 0; tick < 60; tick++) {
            Snapshot snapshot = tick(world, tick % 20 < 10 ? 5 : 3000);
            assertThat(tick % 20 < 10 || snapshot.poses().block(2) == first.get(snapshot))
                    .isTrue();
        }
    }

    @Test
    void shouldRefuseNegativeNumbersOfSlots() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PoseBlocks(0).resize(-1))
                .withMessage("the number of slots must not be negative, but is -1");
    }
}
