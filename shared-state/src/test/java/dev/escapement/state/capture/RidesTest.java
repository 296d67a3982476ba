package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

/** What snapshots say about bodies that ride on others. */
class RidesTest {

    /** The first slot of the second block. */
    private static final int FAR = PoseBlock.CAPACITY;

    private static final long SHIP = BodyId.of(FAR, 1);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);

    RidesTest() {
        world.tick(poses -> {
            for (int slot = 0; slot <= FAR + 2; slot++) {
                spawn(poses);
            }
        });
    }

    private static long spawn(PoseWriter poses) {
        long id = poses.spawn(0);
        poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
        return id;
    }

    private static long parent(Snapshot snapshot, int slot) {
        return snapshot.bodyBlock(slot >>> PoseBlock.SHIFT).parent(slot & PoseBlock.MASK);
    }

    private static int riders(Snapshot snapshot) {
        return snapshot.bodyBlock(0).childCount() + snapshot.bodyBlock(1).childCount();
    }

    @Test
    void shouldLastInEverySnapshotUntilItEnds() {
        Snapshot first = world.tick(poses -> {
            poses.relativeTo(3, SHIP);
            poses.relativeTo(4, SHIP);
        });
        assertThat(riders(first)).isEqualTo(2);
        long version = first.bodyBlock(0).changedTick();
        for (int tick = 0; tick < 10; tick++) {
            Snapshot next = world.tick(poses -> poses.relativeTo(3, SHIP));
            assertThat(parent(next, 3)).isEqualTo(SHIP);
            assertThat(parent(next, 4)).isEqualTo(SHIP);
            assertThat(parent(next, 5)).isZero();
            assertThat(next.bodyBlock(0).changedTick()).as("nothing is copied").isEqualTo(version);
        }
        for (int tick = 0; tick < 10; tick++) {
            Snapshot next = world.tick(poses -> poses.relativeTo(3, 0));
            assertThat(parent(next, 3)).isZero();
            assertThat(parent(next, 4)).isEqualTo(SHIP);
        }
        assertThat(riders(world.tick(poses -> poses.relativeTo(4, BodyId.of(3, 1)))))
                .isEqualTo(1);
        assertThat(riders(world.tick(poses -> poses.relativeTo(4, 0)))).isZero();
        Snapshot again = world.tick(poses -> poses.relativeTo(5, SHIP));
        assertThat(riders(again)).as("none is left over from before").isEqualTo(1);
        assertThat(parent(again, 4)).isZero();
    }

    @Test
    void shouldEndWhenTheRiderIsDespawned() {
        world.tick(poses -> poses.relativeTo(3, SHIP));
        Snapshot next = world.tick(poses -> {
            poses.despawn(BodyId.of(3, 1));
            assertThat(BodyId.slot(spawn(poses))).isEqualTo(3);
        });
        assertThat(parent(next, 3)).isZero();
        assertThat(riders(next)).isZero();
    }

    /** A source may know the id of its parent longer than that lives. */
    @Test
    void shouldEndWhenTheParentIsNamedThoughItIsGone() {
        world.tick(poses -> poses.relativeTo(3, SHIP));
        Snapshot next = world.tick(poses -> {
            poses.despawn(SHIP);
            poses.relativeTo(3, SHIP);
            poses.relativeTo(4, BodyId.of(3 * FAR, 1)); // never was, but a run that went back may have undone it
        });
        assertThat(riders(next)).isZero();
        assertThat(parent(next, 3)).isZero();
    }

    @Test
    void shouldRefuseAParentThatIsNoIdOfABody() {
        world.tick(poses -> assertThatIllegalArgumentException()
                .isThrownBy(() -> poses.relativeTo(3, BodyId.of(FAR, 2)))
                .withMessage("there is no body " + FAR + "#2 in tick 2: its slot has generation 1 now"));
    }

    @Test
    void shouldRefuseCirclesOfParents() {
        world.tick(poses -> {
            poses.relativeTo(3, SHIP);
            poses.relativeTo(4, BodyId.of(3, 1));
            for (int slot : new int[] {3, 4, FAR}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> poses.relativeTo(FAR, BodyId.of(slot, 1)))
                        .withMessage("body " + FAR + "#1 cannot be parented to body " + slot
                                + "#1, which is the same or its descendant; remove that parent first");
            }
            poses.relativeTo(3, 0);
            poses.relativeTo(FAR, BodyId.of(4, 1));
        });
    }
}
