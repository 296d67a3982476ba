package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import java.util.DoubleSummaryStatistics;
import java.util.SplittableRandom;
import org.joml.Vector3f;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The camera of the page of recipes, compared with others: ticks of 1 to 8 ms, the followed body at 10 m/s, another at 15. */
class FollowCameraTest {

    private static final int FOLLOWED = 0;
    private static final int OTHER = 1;
    private static final double FOLLOWED_METRES_A_TICK = 0.10;
    private static final double OTHER_METRES_A_TICK = 0.15;
    private static final float BEHIND_METRES = 5;
    private static final double SMOOTHING_SECONDS = 0.1;
    private static final long MAX_JITTER_NANOS = 3_000_000;
    private static final long WARM_UP_NANOS = 8_000_000_000L;
    private static final long END_NANOS = 28_000_000_000L;

    private final PublishedWorld world =
            new PublishedWorld(3, tick -> 1_000_000 + tick * 1_435_761 % 7_000_000, FollowCameraTest::writePoses);
    private final FrameView view = FrameView.of(world.newReader());
    private final Vector3f position = new Vector3f();

    @ParameterizedTest
    @ValueSource(ints = {60, 144})
    void shouldStandStillBesideTheInterpolatedBodyAndJumpBesideTheRawOne(int framesPerSecond) {
        OnScreen followed = new OnScreen(FOLLOWED);
        OnScreen other = new OnScreen(OTHER);
        OnScreen followedFromRaw = new OnScreen(FOLLOWED);
        OnScreen otherFromRaw = new OnScreen(OTHER);
        TickRate fps = TickRate.hertz(framesPerSecond);
        for (long frame = 1; fps.nanosAt(frame) < END_NANOS; frame++) {
            long now = fps.nanosAt(frame);
            world.runUntil(now);
            if (view.advance(now) && now >= WARM_UP_NANOS) {
                float camera = view.positionOfSlot(FOLLOWED, position).x - BEHIND_METRES;
                followed.frame(camera);
                other.frame(camera);
                PoseBlock raw = view.window().newest().poses().block(0);
                float rawCamera = raw.px[FOLLOWED] - BEHIND_METRES;
                followedFromRaw.frame(rawCamera);
                otherFromRaw.frame(rawCamera);
            }
        }
        double rounding = Math.ulp(300f);
        double otherMetresAFrame = (OTHER_METRES_A_TICK - FOLLOWED_METRES_A_TICK) * 100 / framesPerSecond;
        assertThat(followed.places.getMin()).isCloseTo(BEHIND_METRES, within(rounding));
        assertThat(followed.swing()).isLessThanOrEqualTo(2 * rounding);
        assertThat(other.farthestStepFrom(otherMetresAFrame)).isLessThan(0.0005);

        assertThat(followedFromRaw.swing()).isBetween(0.13, 0.17);
        assertThat(followedFromRaw.farthestStepFrom(0))
                .as("by a tick's way from one frame to the next")
                .isCloseTo(FOLLOWED_METRES_A_TICK, within(0.035));
        assertThat(otherFromRaw.farthestStepFrom(otherMetresAFrame))
                .as("and all the world with it")
                .isCloseTo(FOLLOWED_METRES_A_TICK, within(0.035));
    }

    /** Frames run up to 3 ms late, and are displayed evenly. */
    @ParameterizedTest
    @ValueSource(ints = {60, 144})
    void shouldFollowSmoothlyByTimesOfDisplayAndShakeByTimesOfWork(int framesPerSecond) {
        OnScreen byDisplay = new OnScreen(FOLLOWED);
        OnScreen byWork = new OnScreen(FOLLOWED);
        TickRate fps = TickRate.hertz(framesPerSecond);
        SplittableRandom random = new SplittableRandom(3);
        double displayCamera = 0;
        double workCamera = 0;
        long previousDisplay = 0;
        long previousNow = 0;
        for (long frame = 1; fps.nanosAt(frame) < END_NANOS; frame++) {
            long display = fps.nanosAt(frame);
            long now = display + random.nextLong(MAX_JITTER_NANOS);
            world.runUntil(now);
            if (view.advance(now, display)) {
                double target = view.positionOfSlot(FOLLOWED, position).x;
                displayCamera = smoothed(displayCamera, target, view.clock().displayNanos() - previousDisplay);
                workCamera = smoothed(workCamera, target, now - previousNow);
            }
            if (now >= WARM_UP_NANOS) {
                byDisplay.frame(displayCamera);
                byWork.frame(workCamera);
            }
            previousDisplay = view.clock().displayNanos();
            previousNow = now;
        }
        assertThat(byDisplay.swing()).isLessThan(0.001);
        assertThat(byWork.swing()).isBetween(0.034, 0.038);
    }

    private static double smoothed(double camera, double target, long stepNanos) {
        return camera + (target - camera) * (1 - Math.exp(-stepNanos / (1e9 * SMOOTHING_SECONDS)));
    }

    private static void writePoses(long tick, PoseWriter poses) {
        poses.bodyCount(2);
        poses.set(FOLLOWED, (float) (tick * FOLLOWED_METRES_A_TICK), 0, 0, 0, 0, 0, 1);
        poses.set(OTHER, (float) (tick * OTHER_METRES_A_TICK), 0, 0, 0, 0, 0, 1);
    }

    /** Where a body is seen: its way from the camera, and how that changes from frame to frame. */
    private final class OnScreen {

        private final int slot;
        private final DoubleSummaryStatistics places = new DoubleSummaryStatistics();
        private final DoubleSummaryStatistics steps = new DoubleSummaryStatistics();
        private double previous;

        OnScreen(int slot) {
            this.slot = slot;
        }

        void frame(double camera) {
            double place = view.positionOfSlot(slot, position).x - camera;
            if (places.getCount() > 0) {
                steps.accept(place - previous);
            }
            places.accept(place);
            previous = place;
        }

        double swing() {
            return places.getMax() - places.getMin();
        }

        double farthestStepFrom(double even) {
            return Math.max(steps.getMax() - even, even - steps.getMin());
        }
    }
}
