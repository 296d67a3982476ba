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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
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

    private void countAll() {
        tick(poses -> {
            poses.bodyCount(BODIES);
            for (int i = 0; i < BODIES; i++) {
                set(poses, i, i);
            }
        });
        assertThat(found).as("they are new").isEmpty();
    }

    @Test
    void shouldFindMovesAboveTheDistanceInSlotOrder() {
        countAll();
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
        countAll();
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
        countAll();
        tick(poses -> set(poses, 1, from));
        List<Float> roundings = new ArrayList<>();
        world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding) -> roundings.add(rounding));
            set(poses, 1, to);
        });
        assertThat(roundings)
                .hasSize(1)
                .first()
                .satisfies(rounding -> assertThat(rounding).isBetween(atMost / 3, atMost));
    }

    @Test
    void shouldFindNoneIfTheRunWentBack() {
        countAll();
        world.capture().breakMotion();
        tick(poses -> set(poses, 1, 50));
        assertThat(found).isEmpty();
    }

    @Test
    void shouldBreakTheMotionOfAnOutlierThatIsTeleported() {
        countAll();
        Snapshot snapshot = world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding) -> poses.teleport(slot));
            set(poses, 7, 70);
        });
        assertThat(snapshot.bodies().teleports(7)).isEqualTo(1);
        assertThat(snapshot.motion(0).breaks().count()).isEqualTo(1);
        assertThat(snapshot.motion(0).breaks().kind(0)).isEqualTo(MotionBreaks.Kind.BROKEN);
        assertThat(snapshot.motion(0).breaks().index(0)).isEqualTo(7);
    }

    /** The writer has already checked the poses of the tick. A pose that a visitor wrote would reach readers unchecked. */
    @ParameterizedTest
    @MethodSource("lateChanges")
    void shouldRefuseAVisitorThatChangesPosesOrBodies(Consumer<PoseWriter> change) {
        CapturedWorld control = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        for (CapturedWorld each : List.of(world, control)) {
            each.tick(poses -> {
                for (int i = 0; i < BODIES; i++) {
                    set(poses, BodyId.slot(poses.spawn(i)), i);
                }
            });
            each.capture().reserve();
        }
        long checksum = world.tick(poses -> {
                    poses.findOutliers(2, (slot, dx, dy, dz, rounding) -> assertRefused(() -> change.accept(poses)));
                    set(poses, 7, 70);
                })
                .checksum();
        assertThat(checksum).isEqualTo(control.tick(poses -> set(poses, 7, 70)).checksum());
        assertThat(world.tick().checksum()).isEqualTo(control.tick().checksum());
    }

    private static void assertRefused(ThrowingCallable change) {
        assertThatIllegalStateException()
                .isThrownBy(change)
                .withMessage("the poses of this tick are complete: a visitor of outliers may teleport bodies,"
                        + " but not set poses, nor spawn or despawn bodies; do that in the next tick");
    }

    static Stream<Named<Consumer<PoseWriter>>> lateChanges() {
        return Stream.of(
                Named.of("set", w -> w.set(1400, Float.NaN, 0, 0, 0, 0, 0, 1)),
                Named.of("setInWorld", w -> w.setInWorld(1400, Double.NaN, 0, 0, 0, 0, 0, 1)),
                Named.of("setAll", w -> w.setAll(1400, 1, new float[] {Float.NaN, 0, 0}, new float[4])),
                Named.of("spawn", w -> w.spawn(1)),
                Named.of("spawn of a reserved id", w -> w.spawn(BodyId.of(BODIES, 1), 1)),
                Named.of("spawnAs", w -> w.spawnAs(BodyId.of(BODIES + 1, 1), 1)),
                Named.of("despawn", w -> w.despawn(BodyId.of(1400, 1))),
                Named.of("despawnAs", w -> w.despawnAs(BodyId.of(1400, 1))),
                Named.of("bodyCount", w -> w.bodyCount(1)),
                Named.of("origin", w -> w.origin(1, 0, 0)),
                Named.of("findOutliers", w -> w.findOutliers(1, (slot, dx, dy, dz, rounding) -> {})));
    }

    @Test
    void shouldTellEachThatAskedByTheLeastDistance() {
        countAll();
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
