package dev.escapement.state.capture;

import static dev.escapement.state.capture.PoseWriterTest.pose;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rotation that is far from a unit quaternion is treated as a pose that is not finite: the body shows its last good pose. */
class BadRotationTest {

    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.LINEAR)));
    private static final float[] LENGTHS = {0, -0f, 1e-20f, 0.5f, 0.94f, 1.06f, -1.5f, 2, 1e10f, 0x1p60f};

    /** How a simulation writes its poses. */
    private enum Way {
        EACH,
        AT_ONCE
    }

    /** A block that is checked in passes, and the begin of another one. */
    private static final int BODIES = PoseBlock.CAPACITY + 10;

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheLastGoodPoseInEachWayOfWriting(Way way) {
        CapturedWorld world = new CapturedWorld(1, BODIES, LAYOUT);
        float[] positions = new float[3 * BODIES];
        float[] rotations = new float[4 * BODIES];
        float[] shown = new float[BODIES];
        SplittableRandom random = new SplittableRandom(3);
        long replaced = 0;
        for (int tick = 1; tick < 40; tick++) {
            List<Integer> bad = new ArrayList<>();
            for (int i = 0; i < BODIES; i++) {
                boolean isBad = tick % 2 == 0 && random.nextInt(200) == 0;
                float length = isBad ? LENGTHS[random.nextInt(LENGTHS.length)] : 1;
                positions[3 * i] = tick;
                rotations[4 * i + 1] = 0.6f * length;
                rotations[4 * i + 3] = 0.8f * length;
                shown[i] = isBad ? shown[i] : tick;
                if (isBad) {
                    bad.add(i);
                }
            }
            replaced += bad.size();
            Snapshot snapshot = world.tick(poses -> write(way, poses, positions, rotations));
            for (int i = 0; i < BODIES; i++) {
                assertThat(snapshot.bodies().isQuarantined(i)).isEqualTo(bad.contains(i));
                assertThat(pose(snapshot.poses().blockOf(i), i & PoseBlock.MASK))
                        .containsExactly(shown[i], 0, 0, 0, 0.6f, 0, 0.8f);
            }
        }
        assertThat(world.capture().quarantinedPoses()).isEqualTo(replaced).isGreaterThan(50);
    }

    private static void write(Way way, PoseWriter poses, float[] positions, float[] rotations) {
        poses.bodyCount(BODIES);
        switch (way) {
            case EACH -> {
                for (int i = 0; i < BODIES; i++) {
                    set(poses, i, positions, rotations);
                }
            }
            case AT_ONCE -> poses.setAll(0, BODIES, positions, rotations);
        }
    }

    private static void set(PoseWriter poses, int i, float[] p, float[] q) {
        poses.set(i, p[3 * i], p[3 * i + 1], p[3 * i + 2], q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    }

    /** Two worlds, of which one writes NaN where the other writes a bad rotation, give equal snapshots, whatever else is written. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldBeTreatedAsAPoseThatIsNotFinite(long seed) {
        CapturedWorld world = new CapturedWorld(1, 4, LAYOUT);
        CapturedWorld twin = new CapturedWorld(1, 4, LAYOUT);
        for (int tick = 0; tick < 500; tick++) {
            long ofTick = 1000 * seed + tick;
            Snapshot snapshot = world.tick(poses -> play(poses, new SplittableRandom(ofTick), true));
            Snapshot same = twin.tick(poses -> play(poses, new SplittableRandom(ofTick), false));
            assertThat(snapshot.checksum()).as("tick %d", tick).isEqualTo(same.checksum());
        }
        assertThat(world.capture().quarantinedPoses())
                .isEqualTo(twin.capture().quarantinedPoses())
                .isGreaterThan(500);
    }

    private static void play(PoseWriter poses, SplittableRandom random, boolean notFinite) {
        if (random.nextInt(4) == 0) {
            poses.origin(random.nextInt(8), random.nextInt(8), 0);
        }
        int bodies = random.nextInt(60);
        poses.bodyCount(bodies); // new ones among them
        for (int slot = 0; slot < Math.min(10, bodies); slot++) {
            float y = random.nextInt(8);
            float length = LENGTHS[random.nextInt(LENGTHS.length)];
            if (random.nextInt(3) > 0) {
                poses.set(slot, 1, y, 0, 0, 0.6f, 0, 0.8f);
            } else if (notFinite) {
                poses.set(slot, Float.NaN, y, 0, 0, 0.6f, 0, 0.8f);
            } else {
                poses.set(slot, 1, y, 0, 0, 0.6f * length, 0, 0.8f * length);
            }
            switch (random.nextInt(8)) {
                case 0 -> poses.teleport(slot);
                case 1 -> poses.teleportBy(slot, 1, 2, 3);
                case 2 -> poses.angularVelocity(slot, 0, 500, 0);
                case 3 -> poses.blended(slot, random.nextBoolean());
                default -> {
                    // it only moves
                }
            }
        }
        for (int slot = 10; slot < bodies; slot++) {
            poses.set(slot, slot, 0, 0, 0, 0, 0, 1);
        }
    }

    /** The squared length may differ from 1 by a tenth. */
    @ParameterizedTest
    @CsvSource({"1.0999, false", "1.1001, true", "0.9001, false", "0.8999, true"})
    void shouldDistinguishDriftFromWhatIsNoRotation(double squared, boolean isReplaced) {
        CapturedWorld world = new CapturedWorld(1, BODIES, LAYOUT);
        float[] rotations = new float[4 * BODIES];
        for (int tick = 0; tick < 2; tick++) {
            float w = tick == 0 ? 1 : (float) Math.sqrt(squared);
            for (int i = 0; i < BODIES; i++) {
                rotations[4 * i + 3] = w;
            }
            Snapshot snapshot = world.tick(poses -> write(Way.AT_ONCE, poses, new float[3 * BODIES], rotations));
            for (int i = 0; i < BODIES; i++) {
                assertThat(snapshot.poses().blockOf(i).qw[i & PoseBlock.MASK]).isEqualTo(1);
                assertThat(snapshot.bodies().isQuarantined(i)).isEqualTo(tick == 1 && isReplaced);
            }
        }
    }
}
