package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies that are numbered from 0 without a gap. */
class BodyCountTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    private Snapshot count(int bodies) {
        return world.tick(poses -> {
            poses.bodyCount(bodies);
            setAll(poses, bodies);
        });
    }

    private static void setAll(PoseWriter poses, int bodies) {
        for (int slot = 0; slot < bodies; slot++) {
            poses.set(slot, slot, 0, 0, 0, 0, 0, 1);
        }
    }

    @Test
    void shouldSpawnAndDespawnAtTheEnd() {
        int[] counts = {3, 5, 5, 0, 2, 2000, 1024, 1025, 1};
        long[] spawned = new long[2000];
        int before = 0;
        for (int count : counts) {
            Snapshot snapshot = count(count);
            for (int slot = before; slot < count; slot++) {
                spawned[slot] = snapshot.tick();
            }
            before = count;
            Bodies bodies = snapshot.bodies();
            assertThat(bodies.count()).isEqualTo(count);
            assertThat(bodies.slotCount()).isEqualTo(count);
            assertThat(IntStream.range(0, count))
                    .allSatisfy(slot -> assertThat(bodies.spawnTick(slot)).isEqualTo(spawned[slot]))
                    .allSatisfy(slot -> assertThat(bodies.userData(slot)).isZero());
        }
    }

    @Test
    void shouldLetTheLastCallOfATickCount() {
        count(4);
        Snapshot snapshot = world.tick(poses -> {
            poses.bodyCount(2);
            poses.bodyCount(6);
            poses.bodyCount(3);
        });
        assertThat(snapshot.bodies().count()).isEqualTo(3);
        assertThat(snapshot.bodies().spawnTick(2)).as("never gone").isEqualTo(1);
        assertThat(snapshot.motion(0).breaks().count())
                .as("what went, and what came and went")
                .isEqualTo(1 + 2 + 2);
    }

    @Test
    void shouldKeepBodiesThatWereOnlyNearlyDespawned() {
        count(4);
        Snapshot snapshot = world.tick(poses -> {
            poses.bodyCount(0);
            poses.bodyCount(4);
        });
        assertThat(snapshot.bodies().id(3)).isEqualTo(BodyId.of(3, 1));
        assertThat(snapshot.motion(0).changedTick()).isEqualTo(1);
    }

    @Test
    void shouldRefuseBodiesThatAreNotCounted() {
        count(4);
        world.tick(poses -> {
            poses.bodyCount(2);
            poses.set(1, 0, 0, 0, 0, 0, 0, 1);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> poses.set(2, 0, 0, 0, 0, 0, 0, 1))
                    .withMessage("there is no body 2: this tick has 2 bodies");
        });
    }

    @Test
    void shouldDropThePosesOfBodiesThatAreNotCountedInTheEnd() {
        count(4);
        Snapshot snapshot = world.tick(poses -> {
            setAll(poses, 4);
            poses.bodyCount(1);
        });
        assertThat(snapshot.bodies().count()).isEqualTo(1);
        Snapshot again = count(3);
        assertThat(again.bodies().id(2)).isEqualTo(BodyId.of(2, 3));
    }

    @Test
    void shouldRefuseToCountWhileThereAreGaps() {
        count(4);
        world.tick(poses -> {
            poses.despawn(BodyId.of(1, 1));
            assertThatIllegalStateException()
                    .isThrownBy(() -> poses.bodyCount(4))
                    .withMessage("bodies cannot be counted from 0 while there are gaps: 3 bodies are in slots 0 to 3;"
                            + " use spawn and despawn");
            poses.set(poses.slotOf(poses.spawn(7)), 0, 0, 0, 0, 0, 0, 1);
            poses.bodyCount(3);
        });
        assertThat(world.tick().bodies().count()).isEqualTo(3);
    }

    @Test
    void shouldCountFromZeroAfterBodiesWereDespawned() {
        count(10);
        world.tick(poses -> {
            for (int slot = 7; slot < 10; slot++) {
                poses.despawn(BodyId.of(slot, 1));
            }
        });
        Bodies bodies = world.tick(poses -> {
                    poses.bodyCount(8);
                    setAll(poses, 8);
                })
                .bodies();
        assertThat(bodies.slotCount()).isEqualTo(8);
        assertThat(bodies.exists(7)).isTrue();
    }

    @Test
    void shouldKeepABodyThatIsSpawnedAfterTheOthersWereCounted() {
        long[] id = new long[1];
        Bodies bodies = world.tick(poses -> {
                    poses.bodyCount(2);
                    setAll(poses, 2);
                    id[0] = poses.spawn(7);
                    poses.set(poses.slotOf(id[0]), 0, 0, 0, 0, 0, 0, 1);
                })
                .bodies();
        assertThat(bodies.exists(id[0])).isTrue();
    }
}
