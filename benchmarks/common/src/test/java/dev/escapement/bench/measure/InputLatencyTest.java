package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Ticks at 100 Hz that are published 2 ms after they are due, frames every 4 ms: how long input takes is known. */
class InputLatencyTest {

    private static final long MILLI = 1_000_000;
    private static final int BODIES = 3;

    private final ManualClock clock = new ManualClock(0);
    private final Metronome metronome = new Metronome(10);
    private final TickTrace ticks = new TickTrace(0);
    private FrameRecorder frames = new FrameRecorder(metronome, BODIES, 0, 1000);
    private final InlineDriver driver = PhysicsService.builder(
                    new MeasuredSimulation(new SpringSimulation(BODIES), metronome))
            .rate(TickRate.hertz(100))
            .with(ticks)
            .inline(clock);
    private final FrameView view = FrameView.of(driver.newReader());

    @Test
    void shouldMeasureFromTheStampToTheSnapshotAndToTheFrame() {
        runUntil(500, 0);
        offerAt(503);
        runUntil(800, 500);
        // Due at 510, published at 512.
        assertMillis(ticks.inputToSnapshot().histogram(), 9);
        // The picture passes tick 50, at 500, one tick and the interpolation delay of 2 ms later: frames end at 512 and
        // at 516.
        assertMillis(frames.inputToFrame(ticks).histogram(), 13);
        assertThat(ticks.maxBeyondBoundNanos()).isEqualTo(-3 * MILLI);
    }

    @Test
    void shouldReportByHowMuchALateEventMissesItsBound() {
        runUntil(512, 0);
        offerAt(511);
        runUntil(522, 512);
        assertThat(ticks.maxBeyondBoundNanos()).isEqualTo(-MILLI);
        offerAt(519); // after its tick, due at 520, has run
        runUntil(600, 522);
        assertThat(ticks.maxBeyondBoundNanos()).isEqualTo(MILLI);
    }

    /** Somebody may end a run in its warm-up. */
    @Test
    void shouldNotJudgeThePictureByFramesOfTheWarmUp() {
        runUntil(500, 0);
        assertThat(frames.result(250, 0).answer()).startsWith("Smooth: animation error 0.0 ms");
        frames = new FrameRecorder(metronome, BODIES, 600 * MILLI, 1000);
        runUntil(1000, 500);
        assertThat(frames.result(250, 0).frames()).isPositive();
        assertThat(frames.result(250, 0).answer()).isEqualTo("Too short to say how evenly the picture moved.");
    }

    private void offerAt(long millis) {
        assertThat(driver.input().offer(millis * MILLI, InputKind.APPLICATION, 1, 0, 1))
                .isTrue();
    }

    private static void assertMillis(Histogram histogram, long millis) {
        assertThat(histogram.getTotalCount()).isOne();
        assertThat((double) histogram.getMaxValue()).isCloseTo(millis * 1e6, within(millis * 2e3));
    }

    private void runUntil(long toMillis, long fromMillis) {
        for (long now = fromMillis; now < toMillis; now += 2) {
            clock.advance(2 * MILLI);
            if ((now + 2) % 10 == 2) {
                driver.runDueTicks();
            }
            if ((now + 2) % 4 == 0 && view.advance(clock.nanoTime())) {
                frames.drawn(view, clock.nanoTime(), clock.nanoTime());
            }
        }
    }
}
