package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoseWriterTest {

    private static final int BODIES = 2600;

    static Stream<PoseLayout> layouts() {
        return Stream.of(
                PoseLayout.PLAIN,
                new PoseLayout(Tangents.NONE, List.of(new Channel("wheel", Channel.Blending.ANGLE))),
                new PoseLayout(Tangents.DERIVED, List.of(new Channel("weight", Channel.Blending.STEP))));
    }

    /** Any split into runs, across blocks, in any order: each pose as {@code set} would have written it. */
    @ParameterizedTest
    @MethodSource("layouts")
    void shouldWriteAllAtOnceAsOneByOne(PoseLayout layout) {
        SplittableRandom random = new SplittableRandom(5);
        CapturedWorld atOnce = new CapturedWorld(1, BODIES, layout);
        CapturedWorld oneByOne = new CapturedWorld(1, BODIES, layout);
        CapturedWorld inPlace = new CapturedWorld(1, BODIES, layout);
        for (int tick = 1; tick < 40; tick++) {
            float[] positions = new float[3 * BODIES];
            float[] rotations = new float[4 * BODIES];
            fill(positions, rotations, random, tick % 4);
            int[] cuts = tick % 3 == 0
                    ? new int[0]
                    : random.ints(4, 0, BODIES).sorted().toArray();
            boolean backwards = random.nextBoolean();
            Snapshot expected = oneByOne.tick(poses -> {
                poses.bodyCount(BODIES);
                for (int i = 0; i < BODIES; i++) {
                    setOne(poses, i, positions, rotations);
                }
            });
            Snapshot written = atOnce.tick(poses -> {
                poses.bodyCount(BODIES);
                for (int run = 0; run <= cuts.length; run++) {
                    int r = backwards ? cuts.length - run : run;
                    int from = r == 0 ? 0 : cuts[r - 1];
                    int to = r == cuts.length ? BODIES : cuts[r];
                    poses.setAll(
                            from,
                            to - from,
                            Arrays.copyOfRange(positions, 3 * from, 3 * to),
                            Arrays.copyOfRange(rotations, 4 * from, 4 * to));
                }
            });
            assertThat(written.checksum()).isEqualTo(expected.checksum());
            Snapshot filled = inPlace.tick(poses -> {
                poses.bodyCount(BODIES);
                poses.fillAll((first, count, block) -> copy(positions, rotations, first, count, block));
            });
            assertThat(filled.checksum()).isEqualTo(expected.checksum());
        }
        assertThat(inPlace.capture().quarantinedPoses())
                .isEqualTo(oneByOne.capture().quarantinedPoses());
        assertThat(atOnce.capture().quarantinedPoses())
                .isEqualTo(oneByOne.capture().quarantinedPoses())
                .isPositive();
    }

    private static void copy(float[] p, float[] r, int first, int count, PoseBlock block) {
        for (int i = 0; i < count; i++) {
            int at = first + i;
            block.set(
                    i, p[3 * at], p[3 * at + 1], p[3 * at + 2], r[4 * at], r[4 * at + 1], r[4 * at + 2], r[4 * at + 3]);
        }
    }

    @Test
    void shouldNotPublishWhatABodyWasBeforeItWasDespawned() {
        CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        Snapshot snapshot = world.tick(poses -> {
            long id = poses.spawn(1);
            poses.set(0, Float.NaN, 0, 0, 0, 0, 0, 1);
            poses.set(poses.slotOf(poses.spawn(2)), 1, 2, 3, 0, 0, 0, 1);
            poses.despawn(id);
        });
        assertThat(pose(snapshot.poses().block(0), 0)).containsExactly(0, 0, 0, 0, 0, 0, 1);
        assertThat(world.capture().quarantinedPoses()).isZero();
    }

    /** As where one part of a simulation fills, and another adds a body of its own and does not move it. */
    @Test
    void shouldLeaveBodiesBeyondTheCountWhereTheyWere() {
        CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        for (int tick = 1; tick <= 20; tick++) {
            boolean moves = tick <= 10;
            float x = Math.min(tick, 10);
            Snapshot snapshot = world.tick(poses -> {
                poses.bodyCount(2);
                poses.fillAll((first, count, block) -> {
                    for (int i = 0; i < count; i++) {
                        block.set(i, 1, 2, 3, 0, 0, 0, 1);
                    }
                });
                poses.bodyCount(3);
                if (moves) {
                    poses.set(2, x, 0, 0, 0, 0, 0, 1);
                }
            });
            assertThat(pose(snapshot.poses().block(0), 2)).as("tick %d", tick).containsExactly(x, 0, 0, 0, 0, 0, 1);
        }
    }

    /** A body that comes may replace the block that is being filled by a larger one. */
    @Test
    void shouldRefuseBodiesThatComeWhileOthersAreFilled() {
        CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        long reserved = world.capture().reserve();
        for (int tick = 1; tick <= 3; tick++) {
            Snapshot snapshot = world.tick(poses -> {
                if (world.ticks() == 1) {
                    poses.spawn(0);
                }
                poses.fillAll((first, count, block) -> {
                    block.set(count - 1, 1, 2, 3, 0, 0, 0, 1);
                    for (ThrowingCallable coming : List.<ThrowingCallable>of(
                            () -> poses.spawn(1),
                            () -> poses.spawn(reserved, 1),
                            () -> poses.spawnAs(BodyId.of(9, 1), 1),
                            () -> poses.bodyCount(2))) {
                        assertThatIllegalStateException()
                                .isThrownBy(coming)
                                .withMessageStartingWith("bodies cannot come in tick");
                    }
                });
            });
            assertThat(snapshot.bodies().count()).as("nothing came").isEqualTo(1);
        }
    }

    /** Zeros would look like a bad rotation: the passes over the block would go on body by body. */
    @Test
    void shouldNotTurnSlotsThatHadNoBody() {
        CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        Snapshot snapshot = world.tick(poses -> {
            poses.spawnAs(BodyId.of(40, 1), 0);
            poses.set(40, 1, 2, 3, 0, 0, 0, 1);
        });
        assertThat(pose(snapshot.poses().block(0), 20)).containsExactly(0, 0, 0, 0, 0, 0, 1);
    }

    /** Otherwise half a tick would be published. */
    @Test
    void shouldFailTheCaptureIfFillingThrewAlsoIfThatIsCaught() {
        CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        assertThatIllegalStateException()
                .isThrownBy(() -> world.tick(poses -> {
                    poses.bodyCount(BODIES);
                    assertThatExceptionOfType(ArithmeticException.class)
                            .isThrownBy(() -> poses.fillAll((first, count, block) -> {
                                if (first > 0) {
                                    throw new ArithmeticException("planted");
                                }
                                for (int i = 0; i < count; i++) {
                                    block.set(i, 1, 2, 3, 0, 0, 0, 1);
                                }
                            }));
                    for (int slot = 2 * PoseBlock.CAPACITY; slot < BODIES; slot++) {
                        poses.set(slot, 1, 2, 3, 0, 0, 0, 1);
                    }
                }))
                .withMessage("tick 1 is not complete: writing all poses in place threw");
    }

    /** In some ticks every pose is fine, in others one has drifted or is not finite. */
    private static void fill(float[] positions, float[] rotations, SplittableRandom random, int kind) {
        for (int i = 0; i < positions.length; i++) {
            positions[i] = (float) random.nextDouble(-100, 100);
        }
        for (int i = 0; i < rotations.length; i += 4) {
            System.arraycopy(Quaternions.random(random), 0, rotations, i, 4);
        }
        if (kind == 1) {
            positions[random.nextInt(positions.length)] = Float.NaN;
            rotations[random.nextInt(rotations.length)] = Float.POSITIVE_INFINITY;
        } else if (kind == 2) {
            int body = random.nextInt(BODIES);
            System.arraycopy(new float[] {0, 0, 0, 1.02f}, 0, rotations, 4 * body, 4);
        }
    }

    private static void setOne(PoseWriter poses, int i, float[] p, float[] r) {
        poses.set(i, p[3 * i], p[3 * i + 1], p[3 * i + 2], r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]);
    }

    static float[] pose(PoseBlock block, int i) {
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
