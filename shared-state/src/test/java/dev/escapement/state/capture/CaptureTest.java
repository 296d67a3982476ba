package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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
        world.tick(stays);
        assertThat(world.tick(jumps).bodies().teleports(0)).isOne();
        world.again(jumps);
        assertThat(world.tick(stays).bodies().teleports(0)).isOne();

        world.again(jumps); // the third tick, which had no teleport before
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

    /** The other calls refuse in the same way once poses are complete: see OutliersTest. */
    static Stream<Consumer<PoseWriter>> calls() {
        return Stream.of(
                w -> w.slotOf(1L << 32),
                w -> w.set(0, 0, 0, 0, 0, 0, 0, 1),
                w -> w.angularVelocity(0, 0, 0, 0),
                w -> w.channel(0, 0, 0),
                w -> w.teleport(0),
                w -> w.teleportBy(0, 0, 0, 0),
                w -> w.blended(0, true));
    }

    /** Returns the exception that the call throws on another thread, or null. */
    private static @Nullable Throwable onAnotherThread(ThrowingCallable call) {
        FutureTask<@Nullable Throwable> task = new FutureTask<>(() -> catchThrowable(call));
        new Thread(task, "helper").start();
        try {
            return task.get();
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldRefuseAnotherThreadAndFailTheCapture(Consumer<PoseWriter> call) {
        world.tick(CaptureTest::setOne);
        Throwable[] refusal = new Throwable[1];
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    refusal[0] = onAnotherThread(() -> call.accept(poses));
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

    /** A caller's loop may move to another thread between two ticks. */
    @Test
    void shouldLetEveryTickHaveItsOwnThread() throws Exception {
        Capture capture = new Capture(CaptureTest::setOne, LAYOUT, CapturedWorld.RATE, 4);
        WritableSnapshot first = new WritableSnapshot(4, LAYOUT);
        first.startTick(1, 0);
        capture.captureInto(first, null);
        WritableSnapshot second = new WritableSnapshot(4, LAYOUT);
        second.startTick(2, 0);
        assertThat(onAnotherThread(() -> capture.captureInto(second, first))).isNull();
        assertThat(second.bodies().count()).isEqualTo(1);
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

    /** A simulation with its own doubles moves a body at 1 m/s, 10,000 km away from zero. */
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
    @CsvSource({"1, 0, 3, 1, 0, 0", "2, 2, 2, 2, 1000, 0", "3, 1, 3, 2, 5000, 2147483640" // the generations wrap
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
}
