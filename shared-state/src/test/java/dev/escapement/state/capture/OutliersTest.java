package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests displacement outliers: how a simulation learns which bodies moved far in a tick. */
class OutliersTest {

    private static final int BODIES = 1500;

    private final CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
    private final List<String> found = new ArrayList<>();

    private static void set(PoseWriter poses, int slot, float x) {
        poses.set(slot, x, 0, 0, 0, 0, 0, 1);
    }

    private Snapshot tick(Capture.Source source) {
        found.clear();
        return world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding) -> found.add(slot + ": " + dx + " " + dy + " " + dz));
            source.capture(poses);
        });
    }

    private static void spawnAll(PoseWriter poses) {
        for (int i = 0; i < BODIES; i++) {
            set(poses, BodyId.slot(poses.spawn(i)), i);
        }
    }

    @Test
    void shouldFindMovesAboveTheDistanceInSlotOrder() {
        tick(OutliersTest::spawnAll);
        assertThat(found).as("they are new").isEmpty();
        tick(poses -> {
            poses.set(1400, 1400, -2.5f, 0, 0, 0, 0, 1);
            poses.set(3, 3, 1.5f, 1.5f, 0, 0, 0, 1);
            poses.set(4, 4, 1.5f, 1, 0, 0, 0, 1);
            set(poses, 5, 7); // exactly 2 m, which is no outlier
        });
        assertThat(found).containsExactly("3: 0.0 1.5 1.5", "1400: 0.0 -2.5 0.0");
        tick(poses -> {});
        assertThat(found).isEmpty();
    }

    @Test
    void shouldLeaveOutSpawnedTeleportedAndQuarantinedBodies() {
        long[] ids = new long[4];
        tick(poses -> {
            for (int i = 0; i < 4; i++) {
                ids[i] = poses.spawn(0);
                set(poses, poses.slotOf(ids[i]), 0);
            }
        });
        tick(poses -> {
            poses.despawn(ids[0]);
            set(poses, poses.slotOf(poses.spawn(0)), 9); // reuses the slot of the despawned body
            set(poses, BodyId.slot(ids[1]), 9);
            poses.teleport(BodyId.slot(ids[1]));
            set(poses, BodyId.slot(ids[2]), 9);
            poses.teleportBy(BodyId.slot(ids[2]), 1, 0, 0);
            set(poses, BodyId.slot(ids[3]), Float.NaN);
        });
        assertThat(found).isEmpty();
    }

    @Test
    void shouldNotTakeAnOriginShiftForAMove() {
        tick(OutliersTest::spawnAll);
        tick(poses -> {
            poses.origin(100, 0, 0);
            set(poses, 1, 1 - 100);
            set(poses, 2, 5 - 100);
        });
        assertThat(found).containsExactly("2: 3.0 0.0 0.0");
    }

    /** The rounding bound follows the largest coordinate: of the position before, or of the one after. */
    @ParameterizedTest
    @CsvSource({"0, 5, 2e-6", "1e7, 10000005, 2", "1e7, 0, 2", "0, -1e7, 2", "1e5, 0, 0.015625"})
    void shouldSayHowFarOffAMoveMayBe(float from, float to, float atMost) {
        tick(OutliersTest::spawnAll);
        tick(poses -> set(poses, 1, from));
        List<Float> roundings = new ArrayList<>();
        world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding) -> roundings.add(rounding));
            set(poses, 1, to);
        });
        assertThat(roundings).hasSize(1).allSatisfy(r -> assertThat(r).isBetween(atMost / 3, atMost));
    }

    @Test
    void shouldFindNoneIfTheRunWentBack() {
        tick(OutliersTest::spawnAll);
        world.capture().breakMotion();
        tick(poses -> set(poses, 1, 50));
        assertThat(found).isEmpty();
    }

    @Test
    void shouldBreakTheMotionOfAnOutlierThatIsTeleported() {
        tick(OutliersTest::spawnAll);
        Snapshot snapshot = world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding) -> poses.teleport(slot));
            set(poses, 7, 70);
        });
        assertThat(snapshot.bodies().teleports(7)).isEqualTo(1);
        assertThat(snapshot.motion(0).breaks().has(MotionBreaks.Kind.BROKEN, 7)).isTrue();
    }

    /** The writer has already checked the poses of the tick. A pose that a visitor wrote would reach readers unchecked. */
    @ParameterizedTest
    @MethodSource("lateChanges")
    void shouldRefuseAVisitorThatChangesPosesOrBodies(Consumer<PoseWriter> change) {
        CapturedWorld control = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        for (CapturedWorld each : List.of(world, control)) {
            each.tick(OutliersTest::spawnAll);
            each.capture().reserve();
        }
        long checksum = world.tick(poses -> {
                    poses.findOutliers(
                            2,
                            (slot, dx, dy, dz, rounding) -> assertThatIllegalStateException()
                                    .isThrownBy(() -> change.accept(poses))
                                    .withMessage(
                                            "the poses of this tick are complete: a visitor of outliers may teleport bodies,"
                                                    + " but not set poses, nor spawn or despawn bodies; do that in the next tick"));
                    set(poses, 7, 70);
                })
                .checksum();
        assertThat(checksum).isEqualTo(control.tick(poses -> set(poses, 7, 70)).checksum());
        assertThat(world.tick().checksum()).isEqualTo(control.tick().checksum());
    }

    static Stream<Consumer<PoseWriter>> lateChanges() {
        return Stream.of(
                w -> w.set(1400, Float.NaN, 0, 0, 0, 0, 0, 1),
                w -> w.setInWorld(1400, Double.NaN, 0, 0, 0, 0, 0, 1),
                w -> w.setAll(1400, 1, new float[] {Float.NaN, 0, 0}, new float[4]),
                w -> w.spawn(1),
                w -> w.spawn(BodyId.of(BODIES, 1), 1),
                w -> w.spawnAs(BodyId.of(BODIES + 1, 1), 1),
                w -> w.despawn(BodyId.of(1400, 1)),
                w -> w.despawnAs(BodyId.of(1400, 1)),
                w -> w.bodyCount(1),
                w -> w.origin(1, 0, 0),
                w -> w.findOutliers(1, (slot, dx, dy, dz, rounding) -> {}));
    }

    @Test
    void shouldTellEachThatAskedByTheLeastDistance() {
        tick(OutliersTest::spawnAll);
        List<String> second = new ArrayList<>();
        tick(poses -> {
            poses.findOutliers(1, (slot, dx, dy, dz, rounding) -> second.add(slot + ": " + dx));
            set(poses, 7, 8.5f);
        });
        assertThat(second).containsExactly("7: 1.5");
        assertThat(found).containsExactly("7: 1.5 0.0 0.0");
    }

    @ParameterizedTest
    @ValueSource(floats = {0, -1, Float.NaN})
    void shouldRefuseADistanceThatIsNotPositive(float metres) {
        world.tick(poses -> assertThatIllegalArgumentException()
                .isThrownBy(() -> poses.findOutliers(metres, (slot, dx, dy, dz, rounding) -> {}))
                .withMessageContaining("longer than " + metres));
    }
}
