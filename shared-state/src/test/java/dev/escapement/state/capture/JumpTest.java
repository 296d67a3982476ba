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
    void shouldBreakTheMotionOfEveryBodyThatIsNew() {
        CapturedWorld fresh = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        Snapshot snapshot = fresh.tick(poses -> {
            poses.bodyCount(2);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
            poses.set(1, 0, 0, 0, 0, 0, 0, 1);
        });
        assertThat(breaks(snapshot, 0)).containsExactly("BROKEN 0 by 0.0 0.0 0.0", "BROKEN 1 by 0.0 0.0 0.0");
    }

    @Test
    void shouldBreakTheMotionOfABodyThatTeleports() {
        Snapshot snapshot = world.tick(poses -> {
            poses.teleport(1030);
            setAll(poses);
        });
        assertThat(breaks(snapshot, 0)).isEmpty();
        assertThat(breaks(snapshot, 1)).containsExactly("BROKEN 6 by 0.0 0.0 0.0");
        assertThat(snapshot.bodies().teleports(1030)).isEqualTo(1);
        assertThat(snapshot.bodies().teleports(6)).isZero();
        Snapshot next = world.tick(JumpTest::setAll);
        assertThat(breaks(next, 1)).isEmpty();
        assertThat(next.bodies().teleports(1030)).isEqualTo(1);
    }

    @Test
    void shouldSayByHowMuchABodyJumpedBesideItsMotion() {
        Snapshot snapshot = world.tick(poses -> {
            setAll(poses);
            poses.teleportBy(1030, 1, -2, 3.5f);
        });
        assertThat(breaks(snapshot, 1)).containsExactly("SHIFTED 6 by 1.0 -2.0 3.5");
        assertThat(snapshot.bodies().teleports(1030)).isEqualTo(1);
        assertThat(breaks(world.tick(JumpTest::setAll), 1)).isEmpty();
    }

    @Test
    void shouldCountEveryJump() {
        for (int tick = 0; tick < 10; tick++) {
            boolean by = tick % 2 == 0;
            world.tick(poses -> {
                poses.teleport(3);
                if (by) {
                    poses.teleportBy(3, 1, 1, 1);
                }
            });
            world.tick();
        }
        assertThat(world.tick().bodies().teleports(3)).isEqualTo(15);
    }

    @Test
    void shouldNotBlendABodyUntilToldOtherwise() {
        world.tick(poses -> poses.blended(1030, false));
        assertThat(breaks(world.tick(JumpTest::setAll), 1)).containsExactly("BROKEN 6 by 0.0 0.0 0.0");
        assertThat(breaks(world.tick(JumpTest::setAll), 1)).containsExactly("BROKEN 6 by 0.0 0.0 0.0");
        assertThat(breaks(world.tick(JumpTest::setAll), 0)).isEmpty();
        Snapshot again = world.tick(poses -> {
            poses.blended(1030, true);
            setAll(poses);
        });
        assertThat(breaks(again, 1)).isEmpty();
        assertThat(again.bodies().teleports(1030)).as("no jump").isZero();
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

    /** More than a block has motion breaks for at first. */
    @Test
    void shouldHaveRoomForAnyNumberOfJumps() {
        Snapshot snapshot = world.tick(poses -> {
            for (int slot = 0; slot < BODIES; slot++) {
                poses.teleportBy(slot, slot, 0, 1);
                poses.teleport(slot);
            }
        });
        assertThat(snapshot.motion(0).breaks().count()).isEqualTo(2 * 1024);
        assertThat(breaks(snapshot, 1)).hasSize(2 * (BODIES - 1024)).contains("SHIFTED 75 by 1099.0 0.0 1.0");
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

    /** Shown at its last good pose, it must not be shown leaving from somewhere else. */
    @Test
    void shouldNotJumpWithAPoseThatWasReplaced() {
        Snapshot snapshot = world.tick(poses -> {
            poses.teleportBy(6, 100, 0, 0);
            poses.set(6, Float.NaN, 0, 0, 0, 0, 0, 1);
        });
        assertThat(snapshot.poses().block(0).px[6]).isEqualTo(6);
        assertThat(breaks(snapshot, 0)).containsExactly("SHIFTED 6 by 0.0 0.0 0.0");
    }
}
