package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies that do not reach a tick's pose by moving. */
class JumpTest {

    private static final int BODIES = 1100;

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    @BeforeEach
    void spawn() {
        world.tick(poses -> {
            poses.bodyCount(BODIES);
            setAll(poses);
        });
    }

    private static void setAll(PoseWriter poses) {
        for (int slot = 0; slot < BODIES; slot++) {
            poses.set(slot, slot, 0, 0, 0, 0, 0, 1);
        }
    }

    private static List<String> breaks(Snapshot snapshot, int b) {
        List<String> found = new ArrayList<>();
        MotionBreaks breaks = snapshot.motion(b).breaks();
        for (int s = 0; s < breaks.count(); s++) {
            found.add(breaks.kind(s) + " " + breaks.index(s) + " by " + breaks.x(s) + " " + breaks.y(s) + " "
                    + breaks.z(s));
        }
        return found;
    }

    @Test
    void shouldNotCountBlendingAsAChangeOfTheBlock() {
        Snapshot snapshot = world.tick(poses -> poses.blended(1030, false));
        assertThat(snapshot.motion(1).changedTick()).isEqualTo(1);
        assertThat(snapshot.bodyBlock(1).changedTick()).isEqualTo(1);
        for (int tick = 0; tick < 400; tick++) { // as often as needed for each snapshot to have more than at its spawn
            assertThat(breaks(world.tick(), 1)).as("none is added").hasSizeLessThanOrEqualTo(BODIES - 1024);
        }
    }

    @Test
    void shouldAddUpTheJumpsOfATick() {
        Snapshot snapshot = world.tick(poses -> {
            poses.teleportBy(6, 1, 2, 3);
            poses.teleportBy(9, 7, 7, 7);
            poses.teleport(6);
            poses.teleportBy(6, 10, 20, 30);
            setAll(poses);
        });
        assertThat(breaks(snapshot, 0))
                .containsExactlyInAnyOrder(
                        "SHIFTED 6 by 11.0 22.0 33.0", "SHIFTED 9 by 7.0 7.0 7.0", "BROKEN 6 by 0.0 0.0 0.0");
        assertThat(snapshot.bodies().teleports(6)).isEqualTo(3);
    }
}
