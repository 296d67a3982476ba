package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bodies whose ids were chosen by another world. */
class ForeignIdsTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    private static void spawn(PoseWriter poses, long id) {
        poses.spawnAs(id, 7);
        poses.set(BodyId.slot(id), 1, 2, 3, 0, 0, 0, 1);
    }

    @Test
    void shouldHaveTheIdsThatWereChosen() {
        long far = BodyId.of(5, 41);
        long near = BodyId.of(2, 9);
        Snapshot first = world.tick(poses -> {
            spawn(poses, far);
            spawn(poses, near);
        });
        assertThat(first.bodies().exists(far)).isTrue();
        assertThat(first.bodies().exists(near)).isTrue();
        assertThat(first.bodies().count()).isEqualTo(2);
        Snapshot second = world.tick(poses -> poses.despawn(far));
        assertThat(second.bodies().exists(far)).isFalse();
        assertThat(second.poses().slotCount()).isEqualTo(3);
        // An older generation too: the other world may have been started again.
        Snapshot third = world.tick(poses -> spawn(poses, BodyId.of(5, 3)));
        assertThat(third.bodies().exists(BodyId.of(5, 3))).isTrue();
    }

    @Test
    void shouldLeaveOtherSlotsToBodiesOfItsOwn() {
        long[] own = new long[3];
        Snapshot snapshot = world.tick(poses -> {
            spawn(poses, BodyId.of(1, 5));
            for (int i = 0; i < own.length; i++) {
                own[i] = poses.spawn(0);
                poses.set(poses.slotOf(own[i]), 0, 0, 0, 0, 0, 0, 1);
            }
        });
        assertThat(Arrays.stream(own).mapToInt(BodyId::slot)).containsExactly(0, 2, 3);
        assertThat(snapshot.bodies().count()).isEqualTo(4);
    }

    @Test
    void shouldRefuseASlotThatIsNotFree() {
        world.tick(poses -> {
            spawn(poses, BodyId.of(1, 5));
            for (long id : new long[] {BodyId.of(1, 5), BodyId.of(1, 7), BodyId.of(3, 2), BodyId.of(-1, 1)}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> poses.spawnAs(id, 0))
                        .withMessageContaining(BodyId.toString(id))
                        .withMessageContaining("not free");
            }
        });
    }
}
