package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plants faults into the picture or into the render clock. The check must find each fault, and must report nothing without one. */
class PictureCheckTest {

    private static final TickRate FPS = TickRate.hertz(144);
    private static final long MILLI = 1_000_000;
    private static final long TICK_NANOS = 10 * MILLI;

    private final ManualClock now = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(new SpringSimulation(0)).inline(now);
    private final FrameView view = FrameView.of(driver.newReader());
    private final PictureCheck check = new PictureCheck();

    /** The picture moves evenly, so the animation error cannot show the fault. */
    @Test
    void shouldFindAClockThatIsOneTickOff() {
        for (long frame = 1; frame < 144; frame++) {
            long nanos = FPS.nanosAt(frame);
            now.advance(nanos - now.nanoTime());
            driver.runDueTicks();
            if (view.advance(nanos)) {
                long drawnNanos = view.clock().shownSimNanos() - TICK_NANOS;
                check.frame(drawnNanos, view.clock(), view.window().timeline(), nanos);
            }
        }
        assertThat(check.misplacedFrames()).isPositive();
    }

    /**
     * Both threads stall; the render thread even between reading the time and acquiring its window. A clamped frame shows a later time than
     * its due time, and the next frame may be due at just the shown time. With these seeds, the run has such frames.
     */
    @ParameterizedTest
    @ValueSource(ints = {601, 1570, 1916})
    void shouldFindNothingWhereBothThreadsStall(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long awakeNanos = 0;
        for (long nanos = 0; nanos < 500 * MILLI; nanos += FPS.nanosAt(1) + stallNanos(random)) {
            long acquiredNanos = nanos + stallNanos(random);
            while (now.nanoTime() < acquiredNanos) {
                now.advance(MILLI);
                if (now.nanoTime() >= awakeNanos) {
                    driver.runDueTicks();
                    awakeNanos = now.nanoTime() + stallNanos(random);
                }
            }
            if (view.advance(nanos)) {
                check.frame(
                        view.clock().shownSimNanos(),
                        view.clock(),
                        view.window().timeline(),
                        nanos);
            }
        }
        assertThat(view.clock().clamps()).as("counted").isPositive();
        assertThat(view.clock().holds()).as("counted").isPositive();
        assertThat(check.misplacedFrames()).isZero();
        assertThat(check.uncountedRepeats()).isZero();
    }

    private static long stallNanos(SplittableRandom random) {
        return random.nextInt(10) == 0 ? random.nextLong(60 * MILLI) : random.nextLong(MILLI);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetAPictureWaitForSkippedTime(boolean skipped) {
        RenderClock unreported = new RenderClock(Interpolation.DEFAULT);
        Timeline timeline = new Timeline(TickRate.hertz(100));
        timeline.start(0);
        check.frame(0, unreported, timeline, 10 * MILLI);
        if (skipped) {
            timeline.skip(0, 1);
        }
        check.frame(0, unreported, timeline, 16 * MILLI);
        assertThat(check.uncountedRepeats()).isEqualTo(skipped ? 0 : 1);
    }
}
