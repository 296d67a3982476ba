package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What snapshots say about bodies whose centre of mass is not their position. */
class CentreOfMassTest {

    /** The first slot of the second block. */
    private static final int FAR = PoseBlock.CAPACITY;

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);

    CentreOfMassTest() {
        world.tick(poses -> {
            for (int body = 0; body < 5; body++) {
                spawn(poses);
            }
        });
    }

    private static long spawn(PoseWriter poses) {
        long id = poses.spawn(0);
        poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
        return id;
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
    void shouldLastInEverySnapshotUntilItEnds() {
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
        for (int tick = 0; tick < 10; tick++) {
            Snapshot next = world.tick(poses -> poses.centreOfMass(3, 0, 0, 0));
            assertThat(offset(next, 3)).containsExactly(0, 0, 0);
            assertThat(count(next)).isEqualTo(1);
        }
        assertThat(count(world.tick(poses -> poses.centreOfMass(4, 0, -0f, 0)))).isZero();
        Snapshot again = world.tick(poses -> poses.centreOfMass(2, 0, 3, 0));
        assertThat(count(again)).as("none is left over from before").isEqualTo(1);
        assertThat(again.bodyBlock(0).isOffCentre(4)).isFalse();
    }

    /** Also in a tick that spawns the body, and for each coordinate. */
    @Test
    void shouldTakeTheLastOffsetOfATick() {
        Snapshot tick = world.tick(poses -> {
            int slot = poses.slotOf(spawn(poses));
            poses.centreOfMass(slot, 1, 1, 1);
            poses.centreOfMass(slot, 2, 1, 1);
            poses.centreOfMass(slot, 2, 3, 1);
            poses.centreOfMass(slot, 2, 3, 4);
        });
        assertThat(offset(tick, 5)).containsExactly(2, 3, 4);
        assertThat(count(tick)).isEqualTo(1);
    }

    @Test
    void shouldEndWhenTheBodyIsDespawned() {
        world.tick(poses -> poses.centreOfMass(3, 1, 2, 3));
        Snapshot next = world.tick(poses -> {
            poses.despawn(BodyId.of(3, 1));
            assertThat(BodyId.slot(spawn(poses))).isEqualTo(3);
        });
        assertThat(offset(next, 3)).containsExactly(0, 0, 0);
        assertThat(count(next)).isZero();
        for (int tick = 0; tick < 10; tick++) { // each snapshot is used again
            assertThat(count(world.tick())).isZero();
        }
    }

    /** The block of a small world is replaced by one with more room. */
    @Test
    void shouldStayWhenTheWorldGrows() {
        world.tick(poses -> poses.centreOfMass(3, 1, 2, 3));
        Snapshot grown = world.tick(poses -> {
            for (int body = 0; body < 500; body++) {
                poses.centreOfMass(poses.slotOf(spawn(poses)), 0, body, 0);
            }
        });
        assertThat(offset(grown, 3)).containsExactly(1, 2, 3);
        assertThat(offset(grown, 504)).containsExactly(0, 499, 0);
        assertThat(count(grown)).isEqualTo(500);
        world.tick();
        assertThat(offset(world.tick(), 3)).containsExactly(1, 2, 3);
    }

    /** Whichever snapshots had the block before: each is used again. In each period the offset begins, and the block vanishes. */
    @ParameterizedTest
    @CsvSource({"10, 0, 1", "7, 1, 6"})
    void shouldNotComeBackWithABlockThatVanished(int period, int begins, int vanishes) {
        CapturedWorld counted = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        for (int tick = 0; tick < 8 * period; tick++) {
            int phase = tick % period;
            int slots = phase == vanishes ? 3 : FAR + 5;
            Snapshot next = counted.tick(poses -> {
                poses.bodyCount(slots);
                for (int slot = 0; slot < slots; slot++) {
                    poses.set(slot, 0, 0, 0, 0, 0, 0, 1);
                }
                if (phase == begins) {
                    poses.centreOfMass(FAR + 2, 1, 2, 3);
                }
            });
            if (phase != vanishes) {
                BodyBlock bodies = next.bodyBlock(1);
                boolean isOffCentre = phase >= begins && phase < vanishes;
                assertThat(bodies.isOffCentre(2)).as("tick %s", tick).isEqualTo(isOffCentre);
                assertThat(bodies.offCentreCount()).isEqualTo(isOffCentre ? 1 : 0);
            }
        }
    }
}
