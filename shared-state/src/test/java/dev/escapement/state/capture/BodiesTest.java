package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.HashSet;
import java.util.Set;
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
    void shouldTellWhoLivesWhereSinceWhen() {
        world.tick();
        long[] ids = spawn(3);
        world.tick();
        Bodies bodies = world.tick().bodies();
        assertThat(bodies.count()).isEqualTo(3);
        assertThat(bodies.slotCount()).isEqualTo(3);
        for (int slot = 0; slot < 3; slot++) {
            assertThat(bodies.exists(slot)).isTrue();
            assertThat(bodies.exists(ids[slot])).isTrue();
            assertThat(bodies.id(slot)).isEqualTo(ids[slot]);
            assertThat(bodies.userData(slot)).isEqualTo(100 + slot);
            assertThat(bodies.spawnTick(slot)).isEqualTo(2);
            assertThat(bodies.teleports(slot)).isZero();
            assertThat(bodies.isQuarantined(slot)).isFalse();
        }
    }

    @Test
    void shouldNeverGiveAnIdTwice() {
        Set<Long> given = new HashSet<>();
        for (int round = 0; round < 20; round++) {
            for (long id : spawn(round % 7)) {
                assertThat(given.add(id)).as(BodyId.toString(id)).isTrue();
                assertThat(BodyId.isLive(BodyId.generation(id))).isTrue();
            }
            world.tick(poses -> given.stream().filter(id -> isLive(poses, id)).forEach(poses::despawn));
        }
        assertThat(given).hasSize(57);
        assertThat(given.stream().mapToInt(BodyId::slot).max())
                .as("slots are used again")
                .hasValue(5);
    }

    private static boolean isLive(PoseWriter poses, long id) {
        try {
            return poses.slotOf(id) >= 0;
        } catch (IllegalArgumentException gone) {
            return false;
        }
    }

    @Test
    void shouldTellSinceWhenASlotIsEmpty() {
        long[] ids = spawn(3);
        world.tick();
        world.tick(poses -> poses.despawn(ids[1]));
        Bodies bodies = world.tick().bodies();
        assertThat(bodies.exists(1)).isFalse();
        assertThat(bodies.exists(ids[1])).isFalse();
        assertThat(bodies.despawnTick(1)).isEqualTo(3);
        assertThat(bodies.count()).isEqualTo(2);
        assertThat(bodies.slotCount()).isEqualTo(3);
        world.tick(poses -> poses.despawn(ids[2]));
        assertThat(world.tick().bodies().slotCount())
                .as("one more than the highest")
                .isEqualTo(1);
    }

    @Test
    void shouldStartAfreshWithTheSecondBodyOfASlot() {
        long[] ids = spawn(2);
        world.tick(poses -> {
            poses.teleport(1);
            poses.blended(1, false);
        });
        Snapshot respawned = world.tick(poses -> {
            poses.despawn(ids[1]);
            assertThat(spawn(poses, 7)).isEqualTo(BodyId.of(1, 3));
        });
        Bodies bodies = respawned.bodies();
        assertThat(bodies.exists(ids[1])).isFalse();
        assertThat(bodies.id(1)).isEqualTo(BodyId.of(1, 3));
        assertThat(bodies.userData(1)).isEqualTo(7);
        assertThat(bodies.spawnTick(1)).isEqualTo(3);
        assertThat(bodies.teleports(1)).isZero();
        Snapshot moving = world.tick(poses -> poses.set(1, 1, 0, 0, 0, 0, 0, 1));
        assertThat(moving.motion(0).breaks().count()).as("blended again").isZero();
    }

    @Test
    void shouldLeaveNoTraceOfABodyThatLivedForNoTick() {
        long[] ids = spawn(1);
        Snapshot snapshot = world.tick(poses -> {
            poses.despawn(poses.spawn(7));
            poses.despawn(spawn(poses, 8));
        });
        assertThat(snapshot.bodies().count()).isEqualTo(1);
        assertThat(snapshot.bodies().slotCount()).isEqualTo(1);
        assertThat(snapshot.bodies().exists(ids[0])).isTrue();
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
