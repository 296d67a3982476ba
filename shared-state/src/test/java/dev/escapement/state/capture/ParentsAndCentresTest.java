package dev.escapement.state.capture;

import static dev.escapement.state.capture.CapturedWorld.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

class ParentsAndCentresTest {

    private static final int FAR = PoseBlock.CAPACITY;

    private static final long SHIP = BodyId.of(FAR, 1);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);

    ParentsAndCentresTest() {
        world.tick(poses -> {
            for (int slot = 0; slot <= FAR + 2; slot++) {
                spawn(poses, 0);
            }
        });
    }

    private static long parent(Snapshot snapshot, int slot) {
        return snapshot.bodyBlock(slot >>> PoseBlock.SHIFT).parent(slot & PoseBlock.MASK);
    }

    private static int riders(Snapshot snapshot) {
        return snapshot.bodyBlock(0).childCount() + snapshot.bodyBlock(1).childCount();
    }

    private static float[] offset(Snapshot snapshot, int slot) {
        BodyBlock bodies = snapshot.bodyBlock(0);
        return new float[] {
            bodies.centreOfMass(slot, 0), bodies.centreOfMass(slot, 1), bodies.centreOfMass(slot, 2),
        };
    }

    private static int count(Snapshot snapshot) {
        return snapshot.bodyBlock(0).offCentreCount();
    }

    @Test
    void shouldKeepAParentInEverySnapshotUntilItEnds() {
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
        Snapshot ended = world.tick(poses -> poses.relativeTo(3, 0));
        assertThat(parent(ended, 3)).isZero();
        assertThat(parent(ended, 4)).isEqualTo(SHIP);
        assertThat(riders(world.tick(poses -> poses.relativeTo(4, BodyId.of(3, 1)))))
                .isEqualTo(1);
        assertThat(riders(world.tick(poses -> poses.relativeTo(4, 0)))).isZero();
        Snapshot again = world.tick(poses -> poses.relativeTo(5, SHIP));
        assertThat(riders(again)).as("none is left over from before").isEqualTo(1);
        assertThat(parent(again, 4)).isZero();
    }

    @Test
    void shouldForgetParentAndOffsetOfADespawnedBody() {
        world.tick(poses -> {
            poses.relativeTo(3, SHIP);
            poses.centreOfMass(3, 1, 2, 3);
        });
        Snapshot next = world.tick(poses -> {
            poses.despawn(BodyId.of(3, 1));
            assertThat(BodyId.slot(spawn(poses, 0))).isEqualTo(3);
        });
        assertThat(parent(next, 3)).isZero();
        assertThat(riders(next)).isZero();
        assertThat(offset(next, 3)).containsExactly(0, 0, 0);
        for (int tick = 0; tick < 10; tick++) { // more ticks than snapshots, so each is reused
            assertThat(count(world.tick())).isZero();
        }
    }

    /** A simulation may report a parent that is already despawned. */
    @Test
    void shouldEndARideOnADespawnedParent() {
        world.tick(poses -> poses.relativeTo(3, SHIP));
        Snapshot next = world.tick(poses -> {
            poses.despawn(SHIP);
            poses.relativeTo(3, SHIP);
            poses.relativeTo(4, BodyId.of(3 * FAR, 1)); // never existed, as after a rewind to before its spawn
        });
        assertThat(riders(next)).isZero();
        assertThat(parent(next, 3)).isZero();
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

    @Test
    void shouldKeepACentreOfMassInEverySnapshot() {
        Snapshot first = world.tick(poses -> {
            poses.centreOfMass(3, 1, -2, 0.5f);
            poses.centreOfMass(4, 0, 0, 7);
        });
        assertThat(count(first)).isEqualTo(2);
        long version = first.bodyBlock(0).changedTick();
        for (int tick = 0; tick < 10; tick++) {
            Snapshot next = world.tick(poses -> poses.centreOfMass(3, 1, -2, 0.5f));
            assertThat(offset(next, 3)).containsExactly(1, -2, 0.5f);
            assertThat(offset(next, 4)).containsExactly(0, 0, 7);
            assertThat(offset(next, 2)).containsExactly(0, 0, 0);
            assertThat(next.bodyBlock(0).changedTick()).as("nothing is copied").isEqualTo(version);
        }
        Snapshot ended = world.tick(poses -> poses.centreOfMass(3, 0, 0, 0));
        assertThat(offset(ended, 3)).containsExactly(0, 0, 0);
        assertThat(count(ended)).isEqualTo(1);
        assertThat(count(world.tick(poses -> poses.centreOfMass(4, 0, -0f, 0)))).isZero();
        Snapshot again = world.tick(poses -> poses.centreOfMass(2, 0, 3, 0));
        assertThat(count(again)).as("none is left over from before").isEqualTo(1);
        assertThat(again.bodyBlock(0).isOffCentre(4)).isFalse();
    }

    /** A growing world replaces its small block by a larger one. */
    @Test
    void shouldKeepACentreOfMassWhenTheWorldGrows() {
        CapturedWorld small = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        small.tick(poses -> poses.centreOfMass(poses.slotOf(spawn(poses, 0)), 1, 2, 3));
        Snapshot grown = small.tick(poses -> {
            for (int body = 1; body <= 500; body++) {
                poses.centreOfMass(poses.slotOf(spawn(poses, 0)), 0, body, 0);
            }
        });
        assertThat(offset(grown, 0)).containsExactly(1, 2, 3);
        assertThat(offset(grown, 500)).containsExactly(0, 500, 0);
        assertThat(count(grown)).isEqualTo(501);
        small.tick();
        assertThat(offset(small.tick(), 0)).containsExactly(1, 2, 3);
    }

    /**
     * In every seventh tick the world shrinks to one block. When the second block is back, its old centre of mass must be gone, whichever
     * snapshot the tick reuses.
     */
    @Test
    void shouldNotComeBackWithABlockThatVanished() {
        CapturedWorld counted = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        for (int tick = 0; tick < 56; tick++) {
            int phase = tick % 7;
            int slots = phase == 6 ? 3 : FAR + 5;
            Snapshot next = counted.tick(poses -> {
                CapturedWorld.setAll(poses, slots);
                if (phase == 1) {
                    poses.centreOfMass(FAR + 2, 1, 2, 3);
                }
            });
            if (phase < 6) {
                BodyBlock bodies = next.bodyBlock(1);
                assertThat(bodies.isOffCentre(2)).as("tick %s", tick).isEqualTo(phase > 0);
                assertThat(bodies.offCentreCount()).isEqualTo(phase > 0 ? 1 : 0);
            }
        }
    }
}
