package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {

    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.ANGLE)));

    private static final String REFUSAL =
            "poses can be written by the thread that captures only: thread 'helper' tried while"
                    + " thread '%s' captures; compute on other threads, and write on this one";

    private final CapturedWorld world = new CapturedWorld(1, 4, LAYOUT);

    @Test
    void shouldNameTheBodyWithoutAPoseAmongOthers() {
        world.tick(poses -> {
            poses.bodyCount(2);
            poses.setAll(0, 2, new float[6], new float[] {0, 0, 0, 1, 0, 0, 0, 1});
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    poses.despawn(poses.spawn(7)); // despawned in the same tick, so it needs no pose
                    poses.bodyCount(5);
                    poses.set(2, 0, 0, 0, 0, 0, 0, 1);
                    poses.set(4, 0, 0, 0, 0, 0, 0, 1);
                }))
                .withMessage("body 3#1 was spawned in tick 2 without a pose; set it in the same tick");
    }

    @Test
    void shouldCountAJumpOnceHoweverOftenItsTickRuns() throws Exception {
        Capture.Source stays = CaptureTest::setOne;
        Capture.Source jumps = poses -> {
            setOne(poses);
            poses.teleport(0);
        };
        world.capture().resimulation(); // before the first teleport
        world.tick(stays);
        assertThat(world.tick(jumps).bodies().teleports(0)).isOne();
        world.again(jumps);
        assertThat(world.tick(stays).bodies().teleports(0)).isOne();

        world.again(jumps); // re-simulates the third tick, now with a teleport
        assertThat(world.tick(stays).bodies().teleports(0)).isEqualTo(2);
        world.again(jumps);
        world.again(stays);
        assertThat(world.tick(stays).bodies().teleports(0)).isEqualTo(2);
        for (int rollback = 0; rollback < 2; rollback++) { // both roll back to the same tick
            world.again(jumps);
            world.again(stays);
            world.again(stays);
        }
        assertThat(world.tick(stays).bodies().teleports(0)).isEqualTo(2);
        world.again(stays);
        assertThat(world.tick(jumps).bodies().teleports(0)).isEqualTo(3);
    }

    /** A re-simulated tick reshapes for readers in the next tick that they get. */
    @Test
    void shouldShowTheTickOfAReshapeInTheReadersNumbers() throws Exception {
        Capture.Source stays = CaptureTest::setOne;
        Capture.Source reshapes = poses -> {
            setOne(poses);
            poses.reshape(0);
        };
        assertThat(reshapedTick(reshapes)).as("with its first shape").isZero();
        assertThat(reshapedTick(reshapes)).isEqualTo(2);
        assertThat(reshapedTick(stays)).isEqualTo(2);
        world.again(reshapes);
        world.again(stays);
        assertThat(reshapedTick(stays)).isEqualTo(4);
        assertThat(reshapedTick(poses -> poses.bodyCount(0))).isZero();
    }

    /** A restored state may have bodies far behind the slots of the published tick, whose block has less room, and may lack all of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void shouldCorrectABlockOfMoreOrFewerSlots(int slot) throws Exception {
        CapturedWorld small = new CapturedWorld(1, 1, PoseLayout.PLAIN);
        small.capture().resimulation();
        long first = BodyId.of(0, 1);
        long far = BodyId.of(slot, 1);
        Capture.Source spawns = poses -> {
            poses.spawnAs(far, 7);
            poses.set(slot, 1, 0, 0, 0, 0, 0, 1);
        };
        small.tick(poses -> {
            poses.spawnAs(first, 5);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        });
        small.again(spawns);
        Snapshot grown = small.tick();
        assertThat(grown.bodyBlock(0).sinceTick[0]).isOne();
        assertThat(grown.bodyBlock(0).sinceTick[slot]).isEqualTo(2);
        assertThat(grown.motion(0).breaks().has(MotionBreaks.Kind.BROKEN, slot)).isTrue();
        assertThat(grown.motion(0).breaks().has(MotionBreaks.Kind.BROKEN, 0)).isFalse();
        small.again(poses -> poses.despawn(far));
        Snapshot shrunk = small.tick();
        assertThat(shrunk.bodies().count()).isOne();
        assertThat(shrunk.motion(0).breaks().has(MotionBreaks.Kind.BROKEN, slot))
                .isTrue();
    }

    private long reshapedTick(Capture.Source source) {
        return world.tick(source).bodyBlock(0).reshapedTick(0);
    }

    /** Returns calls that only the capturing thread may make. For the remaining calls, {@link #lateChanges} tests the refusal. */
    static Stream<Consumer<PoseWriter>> calls() {
        return Stream.of(
                w -> w.slotOf(1L << 32),
                w -> w.set(0, 0, 0, 0, 0, 0, 0, 1),
                w -> w.angularVelocity(0, 0, 0, 0),
                w -> w.channel(0, 0, 0),
                w -> w.teleport(0),
                w -> w.reshape(0),
                w -> w.teleportBy(0, 0, 0, 0),
                w -> w.blended(0, true));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldRefuseAnotherThreadAndFailTheCapture(Consumer<PoseWriter> call) {
        world.tick(CaptureTest::setOne);
        Throwable[] refusal = new Throwable[1];
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    Thread helper = new Thread(() -> refusal[0] = catchThrowable(() -> call.accept(poses)), "helper");
                    helper.start();
                    helper.join();
                    poses.set(0, 1, 2, 3, 0, 0, 0, 1);
                }))
                .withMessage("tick 2 is not complete: another thread tried to write poses")
                .satisfies(failure -> assertThat(failure).hasCause(refusal[0]));
        assertThat(refusal[0])
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(REFUSAL.formatted(Thread.currentThread().getName()));
        assertThatIllegalStateException()
                .isThrownBy(world::tick)
                .withMessage("tick 3 cannot be captured, because the capture of an earlier one failed half way");
    }

    @Test
    void shouldRefuseTheWriterOutsideOfACapture() {
        List<PoseWriter> kept = new ArrayList<>();
        world.tick(kept::add);
        assertThatIllegalStateException()
                .isThrownBy(() -> kept.get(0).bodyCount(0))
                .withMessage("poses can be written during the capture of a tick only");
    }

    @Test
    void shouldRefuseThePoseOfABodyNoLongerCounted() {
        world.tick(poses -> {
            poses.bodyCount(2);
            poses.set(0, 1, 2, 3, 0, 0, 0, 1);
            poses.bodyCount(1);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> poses.set(1, 1, 2, 3, 0, 0, 0, 1))
                    .withMessageContaining("this tick has 1 bodies");
        });
    }

    @Test
    void shouldChangeNothingWhenSetToTheSameOrigin() {
        world.tick(poses -> {
            poses.bodyCount(1500);
            for (int slot = 0; slot < 1500; slot++) {
                poses.set(slot, slot, 2, 3, 0, 0, 0.6f, 0.8f);
            }
        });
        world.tick(poses -> poses.origin(5, 6, 7));
        Snapshot same = world.tick(poses -> poses.origin(5, 6, 7));
        assertThat(same.motion(0).changedTick()).isEqualTo(2);
        Snapshot thereAndBack = world.tick(poses -> {
            poses.origin(100, 0, 0);
            poses.origin(5, 6, 7);
        });
        assertThat(thereAndBack.motion(0).changedTick()).isEqualTo(2);
        assertThat(worldX(thereAndBack, 1400)).isEqualTo(1400);
    }

    /** A simulation that computes positions in double moves a body at 1 m/s, 10,000 km away from zero. Floats are 1 m apart there. */
    @Test
    void shouldMeasurePlacesInTheWorldBeforeTheyAreRounded() {
        for (int tick = 1; tick <= 200; tick++) {
            double x = 1e7 + 0.01 * tick;
            Snapshot snapshot = world.tick(poses -> {
                poses.origin(1e7, 0, -2e7);
                poses.bodyCount(1);
                poses.setInWorld(0, x, -0.0, -2e7 + 3, 0, 0, 0, 1);
            });
            PoseBlock block = snapshot.poses().block(0);
            assertThat(worldX(snapshot, 0)).isCloseTo(x, within(1e-7));
            assertThat(block.pz[0]).isEqualTo(3);
            assertThat(Float.floatToRawIntBits(block.py[0])).as("-0.0").isEqualTo(Integer.MIN_VALUE);
        }
    }

    private static double worldX(Snapshot snapshot, int slot) {
        return snapshot.originX() + snapshot.poses().blockOf(slot).px[slot & PoseBlock.MASK];
    }

    private static void setOne(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, 1, 2, 3, 0, 0, 0, 1);
    }

    private static final List<Channel> CHANNELS =
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.STEP));

    /** Random worlds, checked against a model. Readers hold windows, so snapshots are reused in any order. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 3, 1, 0, 0",
        "2, 2, 2, 2, 1000, 0",
        "3, 1, 3, 2, 5000, 2147483640" // in the third case the generations of ids wrap
    })
    void shouldShowEveryTickAsItWas(
            long seed, int channels, int windowSize, int readers, int preallocated, int generation) {
        PoseLayout layout = new PoseLayout(CHANNELS.subList(0, channels));
        CapturedWorld world = new CapturedWorld(windowSize, readers, preallocated, layout, generation);
        RandomSimulation simulation = new RandomSimulation(layout, seed);
        SplittableRandom random = new SplittableRandom(-seed);
        List<SnapshotReader> attached = new ArrayList<>();
        for (int r = 0; r < readers; r++) {
            attached.add(world.newReader());
        }
        Map<Long, Long> checksums = new HashMap<>();
        for (long tick = 1; tick <= 500; tick++) {
            Snapshot snapshot = world.tick(simulation);
            simulation.check(snapshot);
            checksums.put(tick, snapshot.checksum());
            for (SnapshotReader reader : attached) {
                if (random.nextInt(reader == attached.get(0) ? 2 : 15) == 0) {
                    assertUnchanged(reader, checksums);
                    reader.acquire();
                }
            }
        }
    }

    private static void assertUnchanged(SnapshotReader reader, Map<Long, Long> checksums) {
        for (int age = 0; reader.hasWindow() && age < reader.windowSize(); age++) {
            Snapshot held = reader.window().snapshot(age);
            assertThat(held.computeChecksum()).isEqualTo(checksums.get(held.tick()));
        }
    }

    private static final int BODIES = 1500;

    private final List<String> found = new ArrayList<>();

    private static void set(PoseWriter poses, int slot, float x) {
        poses.set(slot, x, 0, 0, 0, 0, 0, 1);
    }

    private Snapshot tick(Capture.Source source) {
        found.clear();
        return world.tick(poses -> {
            poses.findOutliers(
                    2, (slot, dx, dy, dz, rounding, turn) -> found.add(slot + ": " + dx + " " + dy + " " + dz));
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
        tick(CaptureTest::spawnAll);
        assertThat(found).as("they are new").isEmpty();
        tick(poses -> {
            poses.set(1400, 1400, -2.5f, 0, 0, 0, 0, 1);
            poses.set(3, 3, 1.5f, 1.5f, 0, 0, 0, 1);
            poses.set(4, 4, 1.5f, 1, 0, 0, 0, 1);
            set(poses, 5, 7); // exactly 2 m, which is no outlier
        });
        assertThat(found).containsExactly("3: 0.0 1.5 1.5", "1400: 0.0 -2.5 0.0");
        List<Float> nearer = new ArrayList<>();
        tick(poses -> {
            poses.findOutliers(1, (slot, dx, dy, dz, rounding, turn) -> nearer.add(dx));
            set(poses, 7, 8.5f);
        });
        assertThat(nearer).containsExactly(1.5f);
        assertThat(found).as("each by the least distance").containsExactly("7: 1.5 0.0 0.0");
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
        tick(CaptureTest::spawnAll);
        tick(poses -> {
            poses.origin(100, 0, 0);
            set(poses, 1, 1 - 100);
            set(poses, 2, 5 - 100);
        });
        assertThat(found).containsExactly("2: 3.0 0.0 0.0");
    }

    /** The bound of the rounding error depends on the largest coordinate of the position before or after the move. */
    @ParameterizedTest
    @CsvSource({"0, 5, 2e-6", "1e7, 10000005, 2", "1e7, 0, 2", "0, -1e7, 2", "1e5, 0, 0.015625"})
    void shouldSayHowFarOffAMoveMayBe(float from, float to, float atMost) {
        tick(CaptureTest::spawnAll);
        tick(poses -> set(poses, 1, from));
        List<Float> roundings = new ArrayList<>();
        world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding, turn) -> roundings.add(rounding));
            set(poses, 1, to);
        });
        assertThat(roundings).hasSize(1).allSatisfy(r -> assertThat(r).isBetween(atMost / 3, atMost));
    }

    @Test
    void shouldFindNoneIfTheRunWentBack() {
        tick(CaptureTest::spawnAll);
        world.capture().breakMotion();
        tick(poses -> set(poses, 1, 50));
        assertThat(found).isEmpty();
    }

    @Test
    void shouldBreakTheMotionOfAnOutlierThatIsTeleported() {
        tick(CaptureTest::spawnAll);
        Snapshot snapshot = world.tick(poses -> {
            poses.findOutliers(2, (slot, dx, dy, dz, rounding, turn) -> poses.teleport(slot));
            set(poses, 7, 70);
        });
        assertThat(snapshot.bodies().teleports(7)).isEqualTo(1);
        assertThat(snapshot.motion(0).breaks().has(MotionBreaks.Kind.BROKEN, 7)).isTrue();
    }

    /** When a visitor runs, the poses of the tick are checked already. A pose that it wrote would reach readers unchecked. */
    @ParameterizedTest
    @MethodSource("lateChanges")
    void shouldRefuseAVisitorThatChangesPosesOrBodies(Consumer<PoseWriter> change) {
        CapturedWorld control = new CapturedWorld(1, 4, LAYOUT);
        for (CapturedWorld each : List.of(world, control)) {
            each.tick(CaptureTest::spawnAll);
            each.capture().reservations().reserve();
        }
        long checksum = world.tick(poses -> {
                    poses.findOutliers(
                            2,
                            (slot, dx, dy, dz, rounding, turn) -> assertThatIllegalStateException()
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
                w -> w.findOutliers(1, (slot, dx, dy, dz, rounding, turn) -> {}));
    }
}
