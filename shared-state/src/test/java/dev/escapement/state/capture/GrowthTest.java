package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worlds that gain and lose blocks while windows are held. */
class GrowthTest {

    private static final PoseLayout LAYOUT = new PoseLayout(List.of());

    private static Snapshot tick(CapturedWorld world, int bodies) {
        return world.tick(poses -> {
            poses.bodyCount(bodies);
            for (int slot = 0; slot < bodies; slot++) {
                poses.set(slot, slot, (float) world.ticks(), 0, 0, 0, 0, 1);
            }
        });
    }

    /** Grown by the snapshots that are written, when they are written, and by no others. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "512, 0", "513, 1", "1024, 1", "1025, 2", "3072, 3"})
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

    @Test
    void shouldRefuseNegativeNumbersOfSlots() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PoseBlocks(0).resize(-1))
                .withMessage("the number of slots must not be negative, but is -1");
    }
}
