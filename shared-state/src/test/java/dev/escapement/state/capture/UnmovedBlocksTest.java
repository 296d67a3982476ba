package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks that do not move in every tick, while snapshots rotate under one reader that holds on and one that keeps up. */
class UnmovedBlocksTest {

    private static final int BODIES = 2100;
    private static final int LAST_TICK = 45;
    private static final List<Channel> CHANNELS = List.of(new Channel("wheel", Channel.Blending.ANGLE));

    /** Which blocks move in which ticks; all do in the first. */
    private enum Story {
        ALL_FREEZE,
        ONE_GOES_ON,
        EVERY_SEVENTH_TICK,
        IN_TURNS,
        STOP_AND_GO;

        boolean moves(int block, long tick) {
            return tick == 1
                    || switch (this) {
                        case ALL_FREEZE -> tick <= 5;
                        case ONE_GOES_ON -> tick <= 5 || block == 1;
                        case EVERY_SEVENTH_TICK -> block == 0 || tick % 7 == 0;
                        case IN_TURNS -> tick % 3 == block;
                        case STOP_AND_GO -> (tick + 5L * block) % 20 < 10;
                    };
        }

        long lastMove(int block, long tick) {
            long last = tick;
            while (!moves(block, last)) {
                last--;
            }
            return last;
        }
    }

    static Stream<Arguments> storiesAndLayouts() {
        return Stream.of(Story.values())
                .flatMap(story -> Stream.of(Tangents.values())
                        .flatMap(tangents -> Stream.of(List.<Channel>of(), CHANNELS)
                                .map(channels -> Arguments.of(story, new PoseLayout(tangents, channels)))));
    }

    @ParameterizedTest
    @MethodSource("storiesAndLayouts")
    void shouldBeRightInEverySnapshotOfEveryWindow(Story story, PoseLayout layout) {
        CapturedWorld world = new CapturedWorld(2, BODIES, layout);
        SnapshotReader slow = world.newReader();
        SnapshotReader fast = world.newReader();
        for (int tick = 1; tick <= LAST_TICK; tick++) {
            world.tick(poses -> move(poses, story, (int) world.ticks(), layout));
            fast.acquire();
            if (tick == 7 || tick == 33) {
                slow.acquire();
            }
            for (SnapshotReader reader : List.of(slow, fast)) {
                if (reader.hasWindow()) {
                    check(story, reader.window());
                }
            }
        }
    }

    private static void move(PoseWriter poses, Story story, int tick, PoseLayout layout) {
        poses.bodyCount(BODIES);
        for (int b = 0; b < 3; b++) {
            if (story.moves(b, tick)) {
                int first = b << PoseBlock.SHIFT;
                int count = Math.min(PoseBlock.CAPACITY, BODIES - first);
                set(poses, first, count, tick);
                for (int slot = first; slot < first + count; slot++) {
                    if (layout.tangents() == Tangents.GIVEN) {
                        poses.velocity(slot, 0, 3 * tick, -tick);
                    }
                    if (!layout.channels().isEmpty()) {
                        poses.channel(slot, 0, tick);
                    }
                }
            }
        }
    }

    /** At once or body by body. */
    private static void set(PoseWriter poses, int first, int count, int tick) {
        float[] positions = new float[3 * count];
        float[] rotations = new float[4 * count];
        Arrays.fill(positions, tick * tick);
        for (int i = 0; i < count; i++) {
            positions[3 * i] = first + i;
            rotations[4 * i + 3] = 1;
        }
        if (tick % 2 == 0) {
            poses.setAll(first, count, positions, rotations);
        } else {
            for (int slot = first; slot < first + count; slot++) {
                poses.set(slot, slot, tick * tick, tick * tick, 0, 0, 0, 1);
            }
        }
    }

    private static void check(Story story, Window window) {
        for (int age = 0; age < window.size(); age++) {
            Snapshot snapshot = window.snapshot(age);
            assertThat(snapshot.computeChecksum()).isEqualTo(snapshot.checksum());
            assertThat(snapshot.bodies().slotCount()).isEqualTo(BODIES);
            for (int b = 0; b < 3; b++) {
                checkBlock(story, snapshot, b);
            }
        }
    }

    private static void checkBlock(Story story, Snapshot snapshot, int b) {
        long moved = story.lastMove(b, snapshot.tick());
        MotionBlock motion = snapshot.motion(b);
        boolean cameToRest = snapshot.layout().hasTangents() && moved < snapshot.tick();
        assertThat(motion.changedTick()).isBetween(moved, cameToRest ? moved + 1 : moved);
        assertThat(snapshot.bodyBlock(b).changedTick()).isEqualTo(1);
        PoseBlock block = snapshot.poses().block(b);
        int first = b << PoseBlock.SHIFT;
        int end = Math.min(PoseBlock.CAPACITY, BODIES - first);
        for (int i = 0; i < end; i++) {
            boolean right = block.px[i] == first + i
                    && block.py[i] == moved * moved
                    && block.pz[i] == moved * moved
                    && block.qw[i] == 1
                    && (block.channels.length == 0 || block.channels[0][i] == moved)
                    && velocityIsRight(snapshot, motion, i, moved)
                    && snapshot.bodies().spawnTick(first + i) == 1;
            if (!right) {
                throw new AssertionError("body " + (first + i) + " in " + snapshot);
            }
        }
    }

    private static boolean velocityIsRight(Snapshot snapshot, MotionBlock motion, int i, long moved) {
        if (!snapshot.layout().hasTangents()) {
            return true;
        }
        boolean derived = snapshot.layout().tangents() == Tangents.DERIVED;
        boolean spawnedNow = snapshot.tick() == 1;
        if (moved < snapshot.tick() || (derived && spawnedNow)) {
            return motion.vx[i] == 0 && motion.vy[i] == 0 && motion.vz[i] == 0;
        }
        return derived
                ? motion.vx[i] == 0 && motion.vy[i] == motion.vz[i] && motion.vy[i] != 0
                : motion.vx[i] == 0 && motion.vy[i] == 3 * moved && motion.vz[i] == -moved;
    }

    static Stream<PoseLayout> layoutsWithTangents() {
        return Stream.of(
                new PoseLayout(Tangents.DERIVED, List.of()),
                new PoseLayout(Tangents.DERIVED, CHANNELS),
                new PoseLayout(Tangents.GIVEN, List.of()));
    }

    @ParameterizedTest
    @MethodSource("layoutsWithTangents")
    void shouldLetABlockRestOnceItsVelocitiesAreZero(PoseLayout layout) {
        CapturedWorld world = new CapturedWorld(2, BODIES, layout);
        for (int tick = 1; tick <= LAST_TICK; tick++) {
            Snapshot snapshot = world.tick(poses -> move(poses, Story.ALL_FREEZE, (int) world.ticks(), layout));
            for (int b = 0; b < 3; b++) {
                assertThat(snapshot.motion(b).changedTick()).isEqualTo(Math.min(tick, 6));
            }
        }
    }
}
