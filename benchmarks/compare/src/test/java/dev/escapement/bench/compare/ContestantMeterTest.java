package dev.escapement.bench.compare;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.compare.ContestantMeter.Measured;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Pictures that err in known ways, a frame every 10 ms, for a second after one that does not count. */
class ContestantMeterTest {

    private static final long START = -77_000_000;
    private static final long MILLI = 1_000_000;
    private static final long FRAME_NANOS = 10 * MILLI;
    private static final int FRAMES = 200;
    private static final int COUNTED_FROM = 100;

    @Test
    void shouldFindNoErrorInAPictureThatIsLate() {
        Result result = measured(Contestant.ACCUMULATOR, frame -> frame * FRAME_NANOS - 30 * MILLI);
        assertThat(result.frames()).isEqualTo(FRAMES - COUNTED_FROM);
        assertThat(result.framesPerSecond()).isEqualTo(100);
        assertThat(result.errorMicros().max()).isZero();
        assertThat(requireNonNull(result.lookBehindMicros()).mean()).isCloseTo(30_000, within(30.0));
        assertThat(result.speed()).isEqualTo(1);
    }

    /** One frame in ten is 4 ms ahead: an error there and one after it. */
    @Test
    void shouldFindWhatIsUneven() {
        Measured measured =
                measure(Contestant.ACCUMULATOR, frame -> frame * FRAME_NANOS + (frame % 10 == 5 ? 4 * MILLI : 0));
        assertThat(measured.result().errorMicros().mean()).isEqualTo(4000 * 2 / 10.0);
        assertThat(measured.result().errorMicros().p99()).isCloseTo(4000, within(4.0));
        assertThat(measured.errorMillis().y()).contains(4, -4, 0);
    }

    @Test
    void shouldForgetTheWarmUp() {
        Result result = measured(
                Contestant.ACCUMULATOR, frame -> frame < COUNTED_FROM ? frame * 3 * MILLI : frame * FRAME_NANOS);
        assertThat(result.errorMicros().p50()).isZero();
        assertThat(result.errorMicros().mean())
                .as("only the frame that left the warm-up")
                .isEqualTo(6930);
    }

    @Test
    void shouldSayHowFastTheWorldRuns() {
        Result result = measured(Contestant.NEXT_TICK, frame -> frame * FRAME_NANOS / 2);
        assertThat(result.speed()).isEqualTo(0.5);
        assertThat(result.errorMicros().mean()).isEqualTo(5000);
        assertThat(result.lookBehindMicros()).as("has no meaning").isNull();
    }

    /** A world that steps by frames may happen to run at real speed: that says nothing about its age. */
    @Test
    void shouldGiveNoAgeToAWorldThatDoesNotKeepTime() {
        Result result = measured(Contestant.FRAME_LIMITER, frame -> frame * FRAME_NANOS);
        assertThat(result.speed()).isEqualTo(1);
        assertThat(result.lookBehindMicros()).isNull();
    }

    /** Slow motion is no error where it is meant. */
    @Test
    void shouldMeasureAgainstTheSpeedThatIsMeant() {
        Result result = measured(Contestant.SLOW_MOTION, frame -> frame * FRAME_NANOS / 10);
        assertThat(result.speed()).isEqualTo(0.1);
        assertThat(result.errorMicros().max()).isZero();
        assertThat(result.lookBehindMicros()).isNull();
    }

    @Test
    void shouldCountRepeatsAndSkips() {
        Result result = measured(Contestant.NEXT_TICK, frame -> frame / 2 * 2 * FRAME_NANOS);
        assertThat(result.repeatsPer10000()).isCloseTo(5000, within(100.0));
        assertThat(result.skipsPer10000()).isCloseTo(5000, within(100.0));
    }

    @Test
    void shouldTellHoldsAfterTheWarmUpAndTheLowestBall() {
        Result result = measured(Contestant.NEXT_TICK, frame -> frame * FRAME_NANOS);
        assertThat(result.holds()).as("every frame holds").isEqualTo(FRAMES - COUNTED_FROM);
        assertThat(result.belowFloorMillimetres()).isEqualTo(250);
    }

    @Test
    void shouldRefuseToTellOfNothing() {
        ContestantMeter meter = newMeter(Contestant.NEWEST);
        meter.frame(new Scripted(frame -> 0), START);
        assertThatIllegalStateException()
                .isThrownBy(meter::measured)
                .withMessageStartingWith("newest was measured for 0 frames");
    }

    private static Result measured(Contestant contestant, LongUnaryOperator shownByFrame) {
        return measure(contestant, shownByFrame).result();
    }

    private static Measured measure(Contestant contestant, LongUnaryOperator shownByFrame) {
        ContestantMeter meter = newMeter(contestant);
        Scripted picture = new Scripted(shownByFrame);
        for (int frame = 0; frame < FRAMES; frame++) {
            long displayedNanos = START + frame * FRAME_NANOS;
            picture.frame(displayedNanos, displayedNanos);
            meter.frame(picture, displayedNanos);
        }
        return meter.measured();
    }

    private static ContestantMeter newMeter(Contestant contestant) {
        Case run = new Case(contestant, LoadProfile.LIGHT, RefreshCase.FPS_144);
        return new ContestantMeter(run, START, COUNTED_FROM * FRAME_NANOS);
    }

    /** Shows what the test says, a quarter of a metre in the floor, and holds in every frame. */
    private static final class Scripted extends Picture {

        private final LongUnaryOperator shownByFrame;
        private long frame;

        Scripted(LongUnaryOperator shownByFrame) {
            this.shownByFrame = shownByFrame;
        }

        @Override
        void frame(long nowNanos, long displayNanos) {
            drawn(shownByFrame.applyAsLong(frame++), -0.25);
            hold();
        }
    }
}
