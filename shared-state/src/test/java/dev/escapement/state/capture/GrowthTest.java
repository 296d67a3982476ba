package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worlds that gain and lose blocks while windows are held. */
class GrowthTest {

    private static final PoseLayout LAYOUT = new PoseLayout(PoseLayout.Tangents.DERIVED, List.of());

    private static Snapshot tick(CapturedWorld world, int bodies) {
        return world.tick(poses -> {
            poses.bodyCount(bodies);
            for (int slot = 0; slot < bodies; slot++) {
                poses.set(slot, slot, (float) world.ticks(), 0, 0, 0, 0, 1);
            }
        });
    }

    @Test
    void shouldKeepHeldWindowsAsTheyAre() {
        CapturedWorld world = new CapturedWorld(3, 3, 0, LAYOUT);
        List<SnapshotReader> readers = List.of(world.newReader(), world.newReader(), world.newReader());
        for (int tick = 1; tick <= 40; tick++) {
            tick(world, 200 * tick);
            for (int r = 0; r < readers.size(); r++) {
                SnapshotReader reader = readers.get(r);
                if (tick % (5 * r + 1) == 0) {
                    reader.acquire();
                }
                if (reader.hasWindow()) {
                    check(reader.window());
                }
            }
        }
    }

    private static void check(Window window) {
        for (int age = 0; age < window.size(); age++) {
            Snapshot snapshot = window.snapshot(age);
            assertThat(snapshot.computeChecksum()).isEqualTo(snapshot.checksum());
            int bodies = (int) (200 * snapshot.tick());
            assertThat(snapshot.bodies().slotCount()).isEqualTo(bodies);
            for (int slot = 0; slot < bodies; slot++) {
                PoseBlock block = snapshot.poses().blockOf(slot);
                int i = slot & PoseBlock.MASK;
                if (block.px[i] != slot || block.py[i] != snapshot.tick()) {
                    throw new AssertionError("body " + slot + " in " + snapshot);
                }
            }
        }
    }

    /** Grown by the snapshots that are written, when they are written, and by no others. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "1024, 1", "1025, 2", "3072, 3"})
    void shouldCountEveryBlockThatEverySnapshotHadToAdd(int preallocated, int blocksBefore) {
        CapturedWorld world = new CapturedWorld(3, 2, preallocated, LAYOUT);
        SnapshotReader reader = world.newReader();
        Set<Snapshot> written = new HashSet<>();
        for (int tick = 1; tick <= 30; tick++) {
            written.add(tick(world, 3000));
            if (tick == 6) {
                reader.acquire();
            }
            assertThat(world.capture().grownBlocks()).isEqualTo((3L - blocksBefore) * written.size());
        }
        assertThat(written).hasSizeGreaterThan(4);
    }

    @Test
    void shouldRememberWhatWasWrittenBeforeItGrew() {
        CapturedWorld world = new CapturedWorld(1, 0, LAYOUT);
        for (int tick = 1; tick <= 5; tick++) {
            int bodies = 1 << (3 * tick - 1);
            world.tick(poses -> {
                poses.bodyCount(1);
                poses.set(0, 1, 2, 3, 0, 0, 0, 1);
                poses.bodyCount(bodies);
                assertThatIllegalStateException()
                        .isThrownBy(() -> poses.set(0, 4, 5, 6, 0, 0, 0, 1))
                        .withMessage("the pose of body 0 was already written in tick " + world.ticks());
                for (int slot = 1; slot < bodies; slot++) {
                    poses.set(slot, slot, 0, 0, 0, 0, 0, 1);
                }
            });
        }
    }

    @Test
    void shouldCountNothingWhenAWorldShrinksAndGrowsAgain() {
        CapturedWorld world = new CapturedWorld(3, 1, 0, LAYOUT);
        for (int tick = 0; tick < 20; tick++) {
            tick(world, 3000);
        }
        long grown = world.capture().grownBlocks();
        for (int tick = 0; tick < 60; tick++) {
            tick(world, tick % 20 < 10 ? 5 : 3000);
        }
        assertThat(world.capture().grownBlocks()).isEqualTo(grown).isPositive();
    }

    /** Blocks that come back hold what they held when they went; none of it may show. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 9, 30})
    void shouldShowNobodyOfAnEarlierLife(int ticksWithout) {
        CapturedWorld world = new CapturedWorld(1, 0, LAYOUT);
        Set<Long> gone = new HashSet<>();
        List<Long> ids = new ArrayList<>();
        for (int life = 1; life <= 4; life++) {
            int bodies = 2300 - 300 * life;
            world.tick(poses -> {
                while (ids.size() < bodies) {
                    long id = poses.spawn(world.ticks());
                    assertThat(gone.contains(id)).isFalse();
                    poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
                    ids.add(id);
                }
            });
            for (int tick = 0; tick < 12; tick++) {
                check(world.tick().bodies(), ids, gone);
            }
            world.tick(poses -> ids.forEach(poses::despawn));
            gone.addAll(ids);
            ids.clear();
            for (int tick = 1; tick < ticksWithout; tick++) {
                check(world.tick().bodies(), ids, gone);
            }
        }
    }

    private static void check(Bodies bodies, List<Long> ids, Set<Long> gone) {
        assertThat(bodies.count()).isEqualTo(ids.size());
        assertThat(ids.stream().allMatch(bodies::exists)).isTrue();
        assertThat(gone.stream().noneMatch(bodies::exists)).isTrue();
    }

    /** The last body spawned gets the slot that became free last, so that the slots before it are empty ones of a new block. */
    @Test
    void shouldShowNobodyInTheEmptySlotsOfABlockThatCameBack() {
        CapturedWorld world = new CapturedWorld(1, 0, LAYOUT);
        for (int tick = 1; tick <= 12; tick++) {
            tick(world, 2000);
        }
        world.tick(poses -> {
            for (int slot = 500; slot < 2000; slot++) {
                poses.despawn(BodyId.of(slot, 1));
            }
        });
        for (int tick = 1; tick <= 12; tick++) {
            world.tick();
        }
        Snapshot back = world.tick(poses -> {
            for (int slot = 500; slot < 1500; slot++) { // the lowest are taken first: all but the last go again
                long id = poses.spawn(7);
                poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
            }
            for (int slot = 500; slot < 1499; slot++) {
                poses.despawn(BodyId.of(slot, 3));
            }
        });
        assertThat(back.bodies().slotCount()).isEqualTo(1500);
        assertThat(back.bodies().count()).isEqualTo(501);
        for (int slot = 500; slot < 1499; slot++) {
            assertThat(back.bodies().exists(slot)).isFalse();
        }
        for (int tick = 1; tick <= 12; tick++) {
            assertThat(world.tick().bodies().count()).isEqualTo(501);
        }
    }
}
