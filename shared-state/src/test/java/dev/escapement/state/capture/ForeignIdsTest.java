package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests bodies whose ids another world has chosen. */
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
        // The id has an older generation, as after a restart of the other world.
        Snapshot third = world.tick(poses -> spawn(poses, BodyId.of(5, 3)));
        assertThat(third.bodies().exists(BodyId.of(5, 3))).isTrue();
    }

    @Test
    void shouldLeaveOtherSlotsToBodiesOfItsOwn() {
        long[] own = new long[3];
        Snapshot snapshot = world.tick(poses -> {
            spawn(poses, BodyId.of(1, 5));
            for (int i = 0; i < own.length; i++) {
                own[i] = spawnNext(poses);
            }
        });
        assertThat(Arrays.stream(own).mapToInt(BodyId::slot)).containsExactly(0, 2, 3);
        assertThat(snapshot.bodies().count()).isEqualTo(4);
    }

    /** Reserves ids, spawns their bodies in a tick and despawns them in the next. */
    private long[] comeAndGo(int bodies) {
        long[] ids = new long[bodies];
        Arrays.setAll(ids, i -> world.capture().reserve());
        world.tick(poses -> Arrays.stream(ids).forEach(id -> {
            poses.spawn(id, 7);
            poses.set(BodyId.slot(id), 0, 0, 0, 0, 0, 0, 1);
        }));
        world.tick(poses -> Arrays.stream(ids).forEach(poses::despawn));
        return ids;
    }

    /** The slots of despawned bodies wait in the queue from which threads reserve. */
    @Test
    void shouldRestoreABodyInASlotOfTheQueue() {
        long[] ids = comeAndGo(3);
        world.tick();
        Snapshot restored = world.tick(poses -> {
            assertThat(poses.spawnAs(ids[1], 7)).isTrue();
            assertThat(poses.spawnAs(ids[1], 7)).as("it is there").isFalse();
            poses.set(1, 1, 2, 3, 0, 0, 0, 1);
        });
        assertThat(restored.bodies().exists(ids[1])).isTrue();
        assertThat(world.capture().reserve()).isEqualTo(BodyId.of(0, 3));
        assertThat(world.capture().reserve()).isEqualTo(BodyId.of(2, 3));
        assertThat(world.capture().reserve()).as("a new slot").isEqualTo(BodyId.of(3, 1));
        world.tick(poses -> poses.despawn(ids[1]));
        world.tick();
        assertThat(world.capture().reserve()).as("waits again").isEqualTo(BodyId.of(1, 3));
    }

    @Test
    void shouldRestoreABodyWhoseIdIsReserved() {
        long id = world.capture().reserve();
        Snapshot restored = world.tick(poses -> spawn(poses, id));
        assertThat(restored.bodies().exists(id)).isTrue();
        assertThat(world.capture().reserve()).as("another slot").isEqualTo(BodyId.of(1, 1));
    }

    /** More slots are free than the queue for reservations has places. So the next body takes a slot that did not fit into the queue. */
    @Test
    void shouldUseASlotThatDidNotFitTheQueue() {
        comeAndGo(70);
        Snapshot snapshot = world.tick(poses -> {
            long id = spawnNext(poses);
            assertThat(id).isEqualTo(BodyId.of(64, 3));
            assertThatIllegalArgumentException().isThrownBy(() -> poses.spawnAs(BodyId.of(64, 9), 7));
            poses.despawnAs(BodyId.of(64, 1));
            assertThat(poses.slotOf(id)).isEqualTo(64);
        });
        assertThat(snapshot.bodies().count()).isEqualTo(1);
        assertThat(snapshot.bodies().exists(BodyId.of(64, 3))).isTrue();
    }

    /** A re-simulation must give every body the id of its first simulation. */
    @Test
    void shouldGiveTheSameIdsAgainAfterARestore() {
        long[] last = new long[1];
        world.tick(poses -> last[0] = spawnNext(poses));
        for (int tick = 0; tick < 5; tick++) {
            world.tick(poses -> {
                poses.despawn(last[0]);
                last[0] = spawnNext(poses);
            });
        }
        assertThat(last[0]).isEqualTo(BodyId.of(0, 11));
        world.tick(poses -> {
            poses.despawnAs(last[0]); // restores the id of the saved state
            poses.despawnAs(BodyId.of(0, 5));
            assertThat(spawnNext(poses)).isEqualTo(BodyId.of(0, 7));
        });
    }

    /** Free slots wait for the reserving threads, so the next body gets a new slot. After a restore it must get the same one. */
    @Test
    void shouldGiveTheSameIdsAgainAlsoWhenThreadsReserve() {
        long reserved = world.capture().reserve();
        long[] own = new long[2];
        world.tick(poses -> {
            poses.spawn(reserved, 7);
            poses.set(BodyId.slot(reserved), 0, 0, 0, 0, 0, 0, 1);
            Arrays.setAll(own, i -> spawnNext(poses));
        });
        world.tick(poses -> poses.despawn(own[0]));
        long[] first = repeated(own[1]);
        assertThat(first).containsExactly(BodyId.of(2, 3), BodyId.of(3, 1), BodyId.of(4, 1));
        for (int again = 0; again < 2; again++) {
            assertThat(world.capture().holdSlots()).isZero();
            world.tick(
                    poses -> { // restores the state before those ticks
                        Arrays.stream(first).forEach(poses::despawnAs);
                        for (int slot = 3; slot <= 4; slot++) {
                            poses.despawnAs(BodyId.of(slot, -1));
                        }
                        poses.spawnAs(own[1], 0);
                        poses.set(BodyId.slot(own[1]), 0, 0, 0, 0, 0, 0, 1);
                    });
            world.capture().holdSlots(); // restores the same tick once more
            assertThat(repeated(own[1])).isEqualTo(first);
        }
        assertThat(world.capture().reserve()).as("still waits").isEqualTo(BodyId.of(1, 3));
        assertThat(world.capture().reserve()).as("a new slot").isEqualTo(BodyId.of(5, 1));
    }

    /** Returns the ids of three bodies: one replaces {@code going} in the first tick, one is new there, one is new two ticks later. */
    private long[] repeated(long going) {
        long[] ids = new long[3];
        world.tick(poses -> {
            poses.despawn(going);
            ids[0] = spawnNext(poses);
            ids[1] = spawnNext(poses);
        });
        world.tick();
        world.tick(poses -> ids[2] = spawnNext(poses));
        return ids;
    }

    private static long spawnNext(PoseWriter poses) {
        long id = poses.spawn(0);
        poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
        return id;
    }

    @Test
    void shouldRefuseASlotThatIsNotFree() {
        world.tick(poses -> {
            spawn(poses, BodyId.of(1, 5));
            for (long id : new long[] {BodyId.of(1, 7), BodyId.of(3, 2), BodyId.of(-1, 1)}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> poses.spawnAs(id, 0))
                        .withMessageContaining(BodyId.toString(id))
                        .withMessageContaining("not free");
            }
        });
    }
}
