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
    void shouldRefuseToTellOfBodiesThatAreNotThere() {
        long[] ids = spawn(3);
        Bodies bodies = world.tick(poses -> poses.despawn(ids[1])).bodies();
        for (int slot : new int[] {-1, 1, 3}) {
            assertThat(bodies.exists(slot)).isFalse();
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> bodies.userData(slot))
                    .withMessage("there is no body in slot " + slot + " at tick 2, which has 2 bodies in slots 0 to 2");
        }
        for (int slot : new int[] {-1, 0, 3}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> bodies.despawnTick(slot))
                    .withMessage("slot " + slot + " is not an empty one of the 3 slots of tick 2");
        }
    }

    @Test
    void shouldNotTellTicksOfATimeLongGoneInABlockThatCameBack() {
        long[] ids = spawn(1030);
        for (int tick = 0; tick < 10; tick++) {
            world.tick();
        }
        world.tick(poses -> {
            for (int slot = 1024; slot < 1030; slot++) {
                poses.despawn(ids[slot]);
            }
        });
        for (int tick = 0; tick < 10; tick++) {
            world.tick();
        }
        Bodies bodies = world.tick(poses -> {
                    long first = spawn(poses, 7);
                    spawn(poses, 8);
                    poses.despawn(first);
                })
                .bodies();
        assertThat(bodies.despawnTick(1024)).isEqualTo(world.ticks());
        assertThat(bodies.slotCount()).isEqualTo(1026);
    }
}
