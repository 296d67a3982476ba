package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseLayout;
import org.junit.jupiter.api.Test;

class BodiesTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    private static long spawn(PoseWriter poses, long userData) {
        long id = poses.spawn(userData);
        poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
        return id;
    }

    private long[] spawn(int count) {
        long[] ids = new long[count];
        world.tick(poses -> {
            for (int i = 0; i < count; i++) {
                ids[i] = spawn(poses, 100 + i);
            }
        });
        return ids;
    }

    @Test
    void shouldRefuseContactsOfBodiesThatDoNotExist() {
        long[] ids = spawn(3);
        Bodies bodies = world.tick(poses -> poses.despawn(ids[1])).bodies();
        for (int slot : new int[] {-1, 1, 3}) {
            assertThat(bodies.exists(slot)).isFalse();
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> bodies.userData(slot))
                    .withMessage("there is no body in slot " + slot + " at tick 2, which has 2 bodies in slots 0 to 2");
        }
    }
}
