package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

/** Bodies that are not blended. */
class JumpTest {

    private static final int BODIES = 1100;

    @Test
    void shouldNotCountBlendingAsAChangeOfTheBlock() {
        CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        world.tick(poses -> {
            poses.bodyCount(BODIES);
            for (int slot = 0; slot < BODIES; slot++) {
                poses.set(slot, slot, 0, 0, 0, 0, 0, 1);
            }
        });
        Snapshot snapshot = world.tick(poses -> poses.blended(1030, false));
        assertThat(snapshot.motion(1).changedTick()).isEqualTo(1);
        assertThat(snapshot.bodyBlock(1).changedTick()).isEqualTo(1);
        for (int tick = 0; tick < 400; tick++) { // as often as needed for each snapshot to have more than at its spawn
            assertThat(world.tick().motion(1).breaks().count())
                    .as("none is added")
                    .isLessThanOrEqualTo(BODIES - 1024);
        }
    }
}
