package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.PublishedWorld.Poses;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.capture.PoseWriter;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the displayed poses after a re-simulation. The correction moves body 0, which flies and rotates, and changes nothing for body 1,
 * which flies, too.
 */
class CorrectionTest {

    private static final long FRAME_NANOS = 6_944_444;
    private static final double FADE_MILLIS = 150;
    private static final long END_NANOS = 200 * TICK_NANOS;

    /** The last re-simulated tick. */
    private static final long WRONG = 60;

    private static Poses flight(float x, float y, double radians) {
        return (tick, poses) -> {
            poses.bodyCount(2);
            fly(poses, 0, tick, x, y, radians);
            fly(poses, 1, tick, 0, 0, 0);
        };
    }

    /** Moves a body on a circle of 20 m at 4 m/s while it turns at 3 rad/s. */
    private static void fly(PoseWriter poses, int body, long tick, float x, float y, double radians) {
        double way = 4 * tick / 100.0 / 20;
        double half = (3 * tick / 100.0 + radians) / 2;
        poses.set(
                body,
                x + (float) (20 * Math.sin(way)),
                y + (float) (20 * Math.cos(way)),
                body,
                0,
                0,
                (float) Math.sin(half),
                (float) Math.cos(half));
    }

    private static PublishedWorld world(Poses poses) {
        return new PublishedWorld(Interpolation.MIN_SNAPSHOTS, tick -> TICK_NANOS / 2, poses);
    }

    private static FrameView view(PublishedWorld world, double ahead, double fadeMillis) {
        Interpolation how = Interpolation.DEFAULT.fadeWithin(fadeMillis);
        return FrameView.of(world.newReader(), ahead == 0 ? how : how.lookAhead(ahead));
    }

    private static float angle(Quaternionf a, Quaternionf b) {
        Quaternionf turn = a.difference(b, new Quaternionf());
        return 2 * (float) Math.asin(Math.sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void shouldFadeWithoutAJumpWithinTheChosenTime(double ahead) {
        PublishedWorld world = world(flight(0, 0, 0));
        world.correctBefore(WRONG + 1, flight(0.02f, -0.03f, 0.04));
        world.correctBefore(WRONG + 5, flight(0.03f, 0.01f, 0.01));
        PublishedWorld right = world(flight(0.03f, 0.01f, 0.01));
        FrameView view = view(world, ahead, FADE_MILLIS);
        FrameView truth = view(right, ahead, FADE_MILLIS);
        Vector3f before = new Vector3f();
        Quaternionf turnedBefore = new Quaternionf();
        long correctedNanos = Long.MAX_VALUE;
        float largestError = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < END_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            right.runUntil(nanos);
            view.advance(nanos);
            truth.advance(nanos);
            Vector3f at = view.positionOfSlot(0, new Vector3f());
            Quaternionf turned = view.rotationOfSlot(0, new Quaternionf());
            if (nanos > 20 * TICK_NANOS) {
                assertThat(at.distance(before)).as("of 4 m/s").isLessThan(1.2f * 4 * FRAME_NANOS / 1e9f);
                assertThat(angle(turned, turnedBefore)).as("of 3 rad/s").isLessThan(1.2f * 3 * FRAME_NANOS / 1e9f);
            }
            if (view.clock().tick() >= WRONG + 4) {
                correctedNanos = Math.min(correctedNanos, nanos);
                float error = at.distance(truth.positionOfSlot(0, new Vector3f()));
                largestError = Math.max(largestError, error);
                if (nanos - correctedNanos >= FADE_MILLIS * 1e6) {
                    assertThat(error).isLessThan(0.05e-3f);
                    assertThat(angle(turned, truth.rotationOfSlot(0, new Quaternionf())))
                            .isLessThan(1e-3f);
                }
            }
            assertThat(view.positionOfSlot(1, new Vector3f())).isEqualTo(truth.positionOfSlot(1, new Vector3f()));
            before = at;
            turnedBefore = turned;
        }
        assertThat(largestError).as("it did fade").isGreaterThan(0.02f);
    }

    @Test
    void shouldJumpWhereNothingFades() {
        PublishedWorld world = world(flight(0, 0, 0));
        world.correctBefore(WRONG + 1, flight(0.02f, 0, 0));
        PublishedWorld right = world(flight(0.02f, 0, 0));
        FrameView view = view(world, 0, 0);
        FrameView truth = view(right, 0, 0);
        for (long nanos = 10 * TICK_NANOS; nanos < END_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            right.runUntil(nanos);
            view.advance(nanos);
            truth.advance(nanos);
            if (view.clock().shownSimNanos() > WRONG * TICK_NANOS) {
                float error = view.positionOfSlot(0, new Vector3f()).distance(truth.positionOfSlot(0, new Vector3f()));
                assertThat(error).isLessThan(0.05e-3f);
            }
        }
    }

    /** The body teleports in a tick after the correction, or in the tick that corrects. */
    @ParameterizedTest
    @ValueSource(longs = {WRONG + 3, WRONG + 1})
    void shouldForgetTheErrorOfABodyThatIsTeleported(long jump) {
        Poses teleported = (tick, poses) -> {
            flight(tick >= jump ? 7 : 0.02f, 0, tick >= jump ? 1 : 0.04).write(tick, poses);
            if (tick == jump) {
                poses.teleport(0);
            }
        };
        PublishedWorld world = world(flight(0, 0, 0));
        world.correctBefore(WRONG + 1, teleported);
        PublishedWorld right = world(teleported);
        FrameView view = view(world, 0, FADE_MILLIS);
        FrameView truth = view(right, 0, FADE_MILLIS);
        float before = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < END_NANOS; nanos += FRAME_NANOS) {
            world.runUntil(nanos);
            right.runUntil(nanos);
            view.advance(nanos);
            truth.advance(nanos);
            Vector3f at = view.positionOfSlot(0, new Vector3f());
            if (view.clock().shownSimNanos() >= jump * TICK_NANOS) {
                assertThat(at).isEqualTo(truth.positionOfSlot(0, new Vector3f()));
                assertThat(view.rotationOfSlot(0, new Quaternionf()))
                        .isEqualTo(truth.rotationOfSlot(0, new Quaternionf()));
            } else if (before != 0) {
                assertThat(at.x - before).as("no jump before").isBetween(0f, 0.04f);
            }
            before = at.x;
        }
    }
}
