package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.render.PublishedWorld.Poses;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.capture.PoseWriter;
import java.util.stream.LongStream;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The view of a world that was wrong and is corrected, beside the view of one that was right from the start. */
    private static final class Pair {

        final PublishedWorld world = world(flight(0, 0, 0));
        private final PublishedWorld right;
        final FrameView view;
        final FrameView truth;

        Pair(Poses poses, double ahead, double fadeMillis) {
            right = world(poses);
            view = view(world, ahead, fadeMillis);
            truth = view(right, ahead, fadeMillis);
        }

        void advance(long nanos) {
            world.runUntil(nanos);
            right.runUntil(nanos);
            view.advance(nanos);
            truth.advance(nanos);
        }

        /** Returns how far body 0 is from its true place. */
        float error() {
            return view.positionOfSlot(0, new Vector3f()).distance(truth.positionOfSlot(0, new Vector3f()));
        }
    }

    private static float angle(Quaternionf a, Quaternionf b) {
        Quaternionf turn = a.difference(b, new Quaternionf());
        return 2 * (float) Math.asin(Math.sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void shouldFadeWithoutAJumpWithinTheChosenTime(double ahead) {
        Pair pair = new Pair(flight(0.03f, 0.01f, 0.01), ahead, FADE_MILLIS);
        pair.world.correctBefore(WRONG + 1, flight(0.02f, -0.03f, 0.04));
        pair.world.correctBefore(WRONG + 5, flight(0.03f, 0.01f, 0.01));
        FrameView view = pair.view;
        FrameView truth = pair.truth;
        Vector3f before = new Vector3f();
        Quaternionf turnedBefore = new Quaternionf();
        long correctedNanos = Long.MAX_VALUE;
        float largestError = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < END_NANOS; nanos += FRAME_NANOS) {
            pair.advance(nanos);
            Vector3f at = view.positionOfSlot(0, new Vector3f());
            Quaternionf turned = view.rotationOfSlot(0, new Quaternionf());
            if (nanos > 20 * TICK_NANOS) {
                assertThat(at.distance(before)).as("of 4 m/s").isLessThan(1.2f * 4 * FRAME_NANOS / 1e9f);
                assertThat(angle(turned, turnedBefore)).as("of 3 rad/s").isLessThan(1.2f * 3 * FRAME_NANOS / 1e9f);
            }
            if (view.clock().tick() >= WRONG + 4) {
                correctedNanos = Math.min(correctedNanos, nanos);
                float error = pair.error();
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

    /** The window has four snapshots. 15 ticks are more than four and the eight that a block keeps. */
    @ParameterizedTest
    @CsvSource({"4, 0.02", "8, 0.02", "11, 0.02", "15, 0"})
    void shouldFadeErrorsOfTicksThatLeftTheWindow(int ticks, float error) {
        assertThat(error(flight(0.02f, 0, 0), WRONG, WRONG + ticks)).isCloseTo(error, within(1e-5f));
    }

    /** The body teleports after its error has begun to fade, or between the same two frames. */
    @ParameterizedTest
    @ValueSource(longs = {WRONG + 3, WRONG + 9})
    void shouldForgetErrorsOfBodiesThatTeleportedBetweenTwoFrames(long fading) {
        Poses right = (tick, poses) -> {
            flight(tick >= WRONG + 4 ? 7 : 0.02f, 0, 0).write(tick, poses);
            if (tick == WRONG + 4) {
                poses.teleport(0);
            }
        };
        assertThat(error(right, WRONG, fading, WRONG + 12)).isZero();
    }

    /** The body teleports in addition to its motion, also in the tick that corrects. Otherwise the last frame is before the teleport. */
    @ParameterizedTest
    @CsvSource({"3, true, 12", "1, true, 12", "3, false, 4"})
    void shouldFadeOnUntilTheMotionIsBroken(int jump, boolean continues, int frames) {
        Poses right = (tick, poses) -> {
            flight(tick >= WRONG + jump ? 7 : 0.02f, 0, 0).write(tick, poses);
            if (tick == WRONG + jump && continues) {
                poses.teleportBy(0, 6.98f, 0, 0);
            } else if (tick == WRONG + jump) {
                poses.teleport(0);
            }
        };
        long[] ticks = LongStream.rangeClosed(WRONG, WRONG + frames).toArray();
        float fading = error(flight(0.02f, 0, 0), ticks);
        assertThat(fading).isGreaterThan(0.001f);
        assertThat(error(right, ticks)).isCloseTo(fading, within(1e-5f));
    }

    /** Returns how far body 0 is from its true place in the last of some frames. */
    private static float error(Poses poses, long... frameTicks) {
        Pair pair = new Pair(poses, 0, FADE_MILLIS);
        pair.world.correctBefore(WRONG + 1, poses);
        float error = 0;
        for (long tick : frameTicks) {
            pair.advance(tick * TICK_NANOS + TICK_NANOS / 2);
            error = pair.error(); // in each frame, because blocks are blended when they are read
        }
        return error;
    }

    @Test
    void shouldJumpWhereNothingFades() {
        Pair pair = new Pair(flight(0.02f, 0, 0), 0, 0);
        pair.world.correctBefore(WRONG + 1, flight(0.02f, 0, 0));
        for (long nanos = 10 * TICK_NANOS; nanos < END_NANOS; nanos += FRAME_NANOS) {
            pair.advance(nanos);
            if (pair.view.clock().shownSimNanos() > WRONG * TICK_NANOS) {
                assertThat(pair.error()).isLessThan(0.05e-3f);
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
        Pair pair = new Pair(teleported, 0, FADE_MILLIS);
        pair.world.correctBefore(WRONG + 1, teleported);
        FrameView view = pair.view;
        FrameView truth = pair.truth;
        float before = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < END_NANOS; nanos += FRAME_NANOS) {
            pair.advance(nanos);
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
