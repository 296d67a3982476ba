package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.render.FrameView;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * Draws a frame every 4 ms, of ticks at 100 Hz that are published 2 ms after they are due. Measures how unevenly the picture moves, and how
 * long input takes.
 */
class FrameRecorderTest {

    private static final long MILLI = 1_000_000;
    private static final int BODIES = 3;

    private final ManualClock clock = new ManualClock(0);
    private final Metronome metronome = new Metronome(10);
    private final TickTrace ticks = new TickTrace(0);
    private final PhysicsServiceBuilder builder = PhysicsService.builder(
                    new MeasuredSimulation(new SpringSimulation(BODIES), metronome))
            .lateTicks(LateTicks.catchUp(0))
            .with(ticks);
    private final InlineDriver driver = builder.inline(clock);
    private final FrameView view = FrameView.of(driver.newReader());
    private FrameRecorder frames = new FrameRecorder(metronome, BODIES, 200 * MILLI, 10_000);

    /** Every second tick is skipped, so the timeline stands still half of the time, and the picture with it. */
    @Test
    void shouldSeeTheStutterOfSkippedTicks() {
        run(2000, 12);
        assertThat(driver.skippedTicks()).isGreaterThan(90);
        assertThat(result().unevennessPercent()).isBetween(75.0, 125.0);
        assertThat(result().grade()).isEqualTo("Uneven");
    }

    @Test
    void shouldNotCallUnevenWhatAPersonAskedFor() {
        frames.askedScale(driver::timeScale);
        run(1000, 2);
        driver.pause();
        run(500, 2);
        driver.resume();
        run(1000, 2);
        driver.timeScale(TimeScale.of(2));
        run(1000, 2);
        assertThat(result().unevennessPercent()).isLessThan(1);
        assertThat(result().unevennessP99Percent()).isLessThan(1);
    }

    @Test
    void shouldLeaveOutTheWarmUp() {
        frames = new FrameRecorder(metronome, BODIES, 1000 * MILLI, 10_000);
        long[] missed = {1};
        frames.missedSlots(() -> missed[0]);
        run(900, 12);
        run(1100, 2);
        missed[0] = 3;
        assertThat(result().missedFrameSlots()).isEqualTo(3);
        assertThat(result().missedAfterWarmUp()).isEqualTo(2);
        assertThat(result().unevennessPercent()).isZero();
        assertThat(result().lookBehindMicros().mean()).isCloseTo(12_500, within(10.0)); // a tick, and the delay
        assertThat(result().unevennessP99Percent()).isLessThan(0.1);
        assertThat(result().grade()).isEqualTo("Smooth");
    }

    @Test
    void shouldMeasureInputToSnapshotAndToFrame() {
        frames = new FrameRecorder(metronome, BODIES, 0, 1000);
        run(500, 2);
        assertThat(driver.input().offer(503 * MILLI, InputKind.APPLICATION, 1, 0, 1))
                .isTrue();
        run(300, 2);
        // The event is part of the tick that is due at 510 ms and published at 512 ms.
        assertMillis(ticks.inputToSnapshot().histogram(), 9);
        // The picture passes tick 50, which is due at 500 ms, one tick and the interpolation delay of 2 ms later, at
        // 512 ms. So the first frame that shows motion of the event's tick ends at 516 ms.
        assertMillis(frames.inputToFrame(ticks).histogram(), 13);
    }

    @Test
    void shouldNotJudgeThePictureByTheWarmUp() {
        run(100, 2);
        assertThat(result().frames()).isPositive();
        assertThat(result().grade()).isEqualTo("Too short to judge the picture");
    }

    private static void assertMillis(Histogram histogram, long millis) {
        assertThat(histogram.getTotalCount()).isOne();
        assertThat((double) histogram.getMaxValue()).isCloseTo(millis * 1e6, within(millis * 2e3));
    }

    private PictureResult result() {
        return frames.result(250, "");
    }

    private void run(long millis, long stepMillis) {
        long endNanos = clock.nanoTime() + millis * MILLI;
        while (clock.nanoTime() < endNanos) {
            clock.advance(MILLI);
            if (clock.nanoTime() - stepMillis * MILLI >= driver.nextDueNanos()
                    || driver.nextDueNanos() == Long.MAX_VALUE) {
                driver.runDueTicks();
            }
            if (clock.nanoTime() / MILLI % 4 == 0 && view.advance(clock.nanoTime())) {
                frames.drawn(view, clock.nanoTime(), clock.nanoTime());
            }
        }
    }
}
