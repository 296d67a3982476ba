package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.joml.Vector3f;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the displayed poses around an interrupted motion, for every kind of interruption and any number of ticks that the reader misses. A
 * body moves one metre per tick, and at one tick something happens to it. The expected picture follows from the {@link Story} alone.
 */
class MotionBreakTest {

    private static final long EVENT = 40;
    private static final long LAST_TICK = 80;
    private static final float FAR = 1000;

    /** An event in the life of the body, at tick {@link #EVENT}. */
    enum Story {
        SPAWN,
        DESPAWN,
        RESPAWN,
        TELEPORT,
        TELEPORT_TWO_TICKS_IN_A_ROW,
        TELEPORT_BY,
        NOT_BLENDED,
        ORIGIN_SHIFT_AND_TELEPORT;

        boolean exists(long tick) {
            return switch (this) {
                case SPAWN -> tick >= EVENT;
                case DESPAWN -> tick < EVENT;
                default -> true;
            };
        }

        boolean spawnsAt(long tick) {
            return exists(tick) && (!exists(tick - 1) || tick == 1 || (this == RESPAWN && tick == EVENT));
        }

        boolean jumpsAt(long tick) {
            return switch (this) {
                case RESPAWN, TELEPORT, TELEPORT_BY, ORIGIN_SHIFT_AND_TELEPORT -> tick == EVENT;
                case TELEPORT_TWO_TICKS_IN_A_ROW -> tick == EVENT || tick == EVENT + 1;
                default -> false;
            };
        }

        boolean isBroken(long tick) {
            boolean notBlended = this == NOT_BLENDED && tick >= EVENT;
            boolean teleported = this != TELEPORT_BY && jumpsAt(tick);
            return spawnsAt(tick) || notBlended || teleported;
        }

        double x(long tick) {
            double x = tick;
            for (long t = 1; t <= tick; t++) {
                x += jumpsAt(t) ? FAR : 0;
            }
            return x;
        }

        double origin(long tick) {
            return this == ORIGIN_SHIFT_AND_TELEPORT && tick >= EVENT ? 4096 : 0;
        }
    }

    static Stream<Arguments> storiesAndSkips() {
        return Stream.of(Story.values())
                .flatMap(story -> Stream.of(1, 2, 5)
                        .flatMap(skip -> IntStream.rangeClosed(2, 4).mapToObj(k -> Arguments.of(story, skip, k))));
    }

    @ParameterizedTest
    @MethodSource("storiesAndSkips")
    void shouldShowABodyWhereTheStorySays(Story story, int ticksPerLook, int windowSize) {
        CapturedWorld world = new CapturedWorld(windowSize, 1, 0, PoseLayout.PLAIN);
        try (FrameView view = FrameView.of(world.newReader())) {
            for (long tick = 1; tick <= LAST_TICK; tick++) {
                long now = tick;
                world.tick(poses -> report(story, now, poses));
                if (tick % ticksPerLook != 0 || tick < windowSize) {
                    continue;
                }
                long publishedNanos = world.timeline().dueNanos(tick) + CapturedWorld.RATE.nanosAt(1) / 2;
                for (long delayNanos = 0; delayNanos < 10_000_000; delayNanos += 700_001) {
                    assertThat(view.advance(publishedNanos + delayNanos)).isTrue();
                    check(story, view);
                }
            }
        }
    }

    /** Reports the story as a simulation would. A second body never moves, so that the world is never empty. */
    private static void report(Story story, long tick, PoseWriter poses) {
        if (story.origin(tick) != story.origin(tick - 1)) {
            poses.origin(story.origin(tick), 0, 0);
        }
        if (tick == 1) {
            long still = poses.spawn(1000); // takes slot 0
            poses.set(BodyId.slot(still), 7, 0, 0, 0, 0, 0, 1);
        }
        boolean vanishes = tick > 1 && story.exists(tick - 1) && !story.exists(tick);
        boolean makesRoom = story == Story.RESPAWN && tick == EVENT;
        if (vanishes || makesRoom) {
            poses.despawn(BodyId.of(1, 1));
        }
        if (story.spawnsAt(tick)) {
            poses.spawn(tick);
        }
        if (story.exists(tick)) {
            if (story == Story.NOT_BLENDED && tick == EVENT) {
                poses.blended(1, false);
            }
            if (story.jumpsAt(tick) && !story.spawnsAt(tick)) {
                if (story == Story.TELEPORT_BY) {
                    poses.teleportBy(1, FAR, 0, 0);
                } else {
                    poses.teleport(1);
                }
            }
            poses.set(1, (float) (story.x(tick) - story.origin(tick)), 0, 0, 0, 0, 0, 1);
        }
    }

    private static void check(Story story, FrameView view) {
        long previous = view.clock().tick();
        float alpha = view.clock().alpha();
        long shown = alpha < 1 ? previous : previous + 1;
        assertThat(view.shown().tick()).isEqualTo(shown);
        Bodies bodies = view.shown().bodies();
        assertThat(bodies.exists(1)).as("exists at %d + %s", previous, alpha).isEqualTo(story.exists(shown));
        assertThat(view.positionOfSlot(0, new Vector3f()).x + view.shown().originX())
                .as("the body that never moves")
                .isEqualTo(7);
        if (story.exists(shown)) {
            double x = view.positionOfSlot(1, new Vector3f()).x + view.shown().originX();
            assertThat(x).as("at %d + %s", previous, alpha).isCloseTo(expected(story, previous, alpha), within(1e-3));
        }
    }

    private static double expected(Story story, long previous, float alpha) {
        long current = previous + 1;
        if (alpha == 1) {
            return story.x(current);
        }
        if (alpha == 0) {
            return story.x(previous); // the tick itself; the jump comes after it
        }
        if (!story.exists(current) || story.isBroken(current)) {
            return story.x(previous);
        }
        double from = story.x(previous) + (story.jumpsAt(current) ? FAR : 0);
        return from + (story.x(current) - from) * alpha;
    }
}
