package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoseWriterTest {

    private static final int BODIES = 2600;

    static Stream<PoseLayout> layouts() {
        return Stream.of(
                PoseLayout.PLAIN,
                new PoseLayout(List.of(new Channel("wheel", Channel.Blending.ANGLE))),
                new PoseLayout(List.of(new Channel("weight", Channel.Blending.STEP))));
    }

    /** Any split into runs, across blocks, in any order: each pose as {@code set} would have written it. */
    @ParameterizedTest
    @MethodSource("layouts")
    void shouldWriteAllAtOnceAsOneByOne(PoseLayout layout) {
        SplittableRandom random = new SplittableRandom(5);
        CapturedWorld atOnce = new CapturedWorld(1, BODIES, layout);
        CapturedWorld oneByOne = new CapturedWorld(1, BODIES, layout);
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
        }
        assertThat(atOnce.capture().quarantinedPoses())
                .isEqualTo(oneByOne.capture().quarantinedPoses())
                .isPositive();
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
