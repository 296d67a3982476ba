package dev.escapement.render.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.FrameView;
import dev.escapement.render.PublishedWorld;
import dev.escapement.render.ShownError;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests frames paced by a display of 59.94 Hz, whose rate the schedule must learn. Time passes only where the frame waits or works. */
class DisplayScheduleTest {

    private static final TickRate DISPLAY = new TickRate(60_000, 1001);
    private static final double GUESSED_PERIOD_NANOS = 1e9 / 60;
    private static final long WARM_UP_FRAMES = 900;
    private static final long SPIN_NANOS = 50;
    private static final long OVERSLEEP_NANOS = 60_000;

    private final ManualClock clock = new ManualClock(0);
    private final PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000 + tick * 1_435_761 % 7_000_000);
    private final FrameView view = FrameView.of(world.newReader());
    private final Timer timer = new Timer();

    @Test
    void shouldMoveEvenlyThoughFramesAreWokenLate() {
        Display display = new Display();
        display.maxJitterNanos = 3_000_000;
        DisplaySchedule schedule = display.show(4500);

        assertThat(display.error.meanNanos()).isLessThan(10_000);
        assertThat(timer.parks).as("only before there is something to draw").isLessThan(5);
        assertThat(schedule.missedSlots()).isZero();
    }

    @Test
    void shouldMakeOneFrameAPeriodWithoutAWaitingSwap() {
        Display display = new Display();
        display.waitsForRefresh = false;
        DisplaySchedule schedule = display.show(3000);

        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS)
                .as(
                        "periods from the first frame to the end of the last; three pass until it is seen that the swap does not wait")
                .isBetween(2996.0, 2998.0);
        assertThat(timer.parks).isGreaterThanOrEqualTo(2996);
        assertThat((double) timer.spins * SPIN_NANOS / clock.nanoTime()).isLessThan(0.005);
        assertThat(display.error.meanNanos())
                .as("the timer's lateness is not the display's")
                .isLessThan(1_000);
        assertThat(schedule.missedSlots()).isZero();
    }

    @Test
    void shouldNotSpinWhileThereIsNothingToShow() {
        Display display = new Display();
        display.publishes = false;
        display.show(100);
        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS).isBetween(96.0, 97.0);
    }

    @Test
    void shouldCountThePeriodsThatLongFramesMiss() {
        Display display = new Display();
        display.tenthTakesMoreNanos = DISPLAY.nanosAt(3) / 2;
        DisplaySchedule schedule = display.show(1000);
        assertThat(schedule.missedSlots())
                .as("one by every tenth frame, once the period is known")
                .isEqualTo(95);
    }

    /** A software renderer of two frames a second never shows the rhythm of the display. */
    @Test
    void shouldCountThePeriodsThatASlowRendererMisses() {
        Display display = new Display();
        display.takesNanos = 500_000_000;
        display.maxJitterNanos = 50_000_000;
        DisplaySchedule schedule = display.show(100);
        assertThat((schedule.missedSlots() + 100) * GUESSED_PERIOD_NANOS / clock.nanoTime())
                .isCloseTo(1, Offset.offset(0.02));
    }

    /** The timer wakes the thread so late that the next period has passed, too. */
    @Test
    void shouldCountThePeriodsThatAreSleptThrough() {
        Display display = new Display();
        display.waitsForRefresh = false;
        timer.everyTenthOversleepsNanos = 2 * DISPLAY.nanosAt(1);
        DisplaySchedule schedule = display.show(1000);
        assertThat(schedule.missedSlots()).isEqualTo(2 * (timer.parks / 10));
    }

    /** Drawing takes longer than the shortest period of a display whose rate is unknown. */
    @ParameterizedTest
    @ValueSource(longs = {2_100_000, 9_000_000})
    void shouldKeepTheReportedRateWithoutAWaitingSwap(long takesNanos) {
        Display display = new Display();
        display.reportedHertz = OptionalDouble.of(60);
        display.waitsForRefresh = false;
        display.takesNanos = takesNanos;
        DisplaySchedule schedule = display.show(3000);
        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS)
                .as("at most three in 128 frames try whether it waits")
                .isBetween(2920.0, 3000.0);
        assertThat(schedule.missedSlots()).isZero();
    }

    @Test
    void shouldFollowAFastDisplayThatIsReported() {
        Display display = new Display();
        display.rate = TickRate.hertz(540);
        display.reportedHertz = OptionalDouble.of(540);
        display.takesNanos = 300_000;
        display.show(3000);
        assertThat(timer.parks).as("only before there is something to draw").isLessThan(40);
    }

    /** The window is moved to another display, or its display is set to another rate. */
    @ParameterizedTest
    @CsvSource({"60, 144", "144, 240", "144, 60"})
    void shouldFollowADisplayThatChangesItsRate(int before, int after) {
        Display display = new Display();
        display.rate = TickRate.hertz(before);
        display.reportedHertz = OptionalDouble.of(before);
        display.maxJitterNanos = 500_000;
        DisplaySchedule schedule = display.show(600);
        display.rate = TickRate.hertz(after);
        display.reportedHertz = OptionalDouble.of(after);
        display.show(2L * after, schedule);
        long startNanos = clock.nanoTime();
        long parks = timer.parks;
        display.show(5L * after, schedule);
        assertThat((clock.nanoTime() - startNanos) / 1e9).isCloseTo(5, Offset.offset(0.01));
        assertThat(timer.parks).isEqualTo(parks);
    }

    /** When the window is back, the first swap waits only for the rest of a period, which looks like a swap that does not wait. */
    @ParameterizedTest
    @ValueSource(longs = {300, 500})
    void shouldFollowTheDisplayAgainWhereAWindowIsBack(long hiddenFrames) {
        Display display = new Display();
        display.reportedHertz = OptionalDouble.of(60);
        display.hiddenFrames = hiddenFrames;
        display.takesNanos = 2_100_000;
        display.show(1500);
        assertThat(timer.parks).isBetween(hiddenFrames - 30, hiddenFrames + 130);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1e9})
    void shouldNotBelieveARateThatNoDisplayHas(double hertz) {
        Display display = new Display();
        display.reportedHertz = OptionalDouble.of(hertz);
        display.waitsForRefresh = false;
        display.show(300);
        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS).isBetween(296.0, 298.0);
    }

    /**
     * After a late wake-up, the next slot may be half a period ahead. The long frames are not taken for frames whose swap does not wait.
     */
    @Test
    void shouldNotGoBackWhenLongFramesFollowLateTimers() {
        DisplaySchedule schedule = new DisplaySchedule(clock, timer, OptionalDouble::empty);
        timer.everyTenthOversleepsNanos = 9_500_000;
        for (int frame = 0; frame < 1000; frame++) {
            long lastDisplayNanos = schedule.displayNanos();
            long lastNanos = schedule.targetNanos();
            schedule.awaitFrame();
            assertThat(schedule.displayNanos()).isGreaterThanOrEqualTo(lastDisplayNanos);
            assertThat(schedule.targetNanos()).isGreaterThanOrEqualTo(lastNanos);
            clock.advance(frame % 4 == 3 ? 3_000_000 : 1_000_000);
        }
        assertThat(timer.parks).isGreaterThanOrEqualTo(100);
    }

    /** A display that shows each frame at its next refresh. Drawing waits until then if {@code waitsForRefresh}. */
    private final class Display {

        private final SplittableRandom random = new SplittableRandom(5994);
        private final ShownError error = new ShownError();
        private boolean waitsForRefresh = true;
        private TickRate rate = DISPLAY;
        private OptionalDouble reportedHertz = OptionalDouble.empty();
        private long hiddenFrames;
        private boolean publishes = true;
        private long maxJitterNanos = 1;
        private long takesNanos = 1_000_000;
        private long tenthTakesMoreNanos;

        DisplaySchedule show(long frames) {
            return show(frames, new DisplaySchedule(clock, timer, () -> reportedHertz));
        }

        DisplaySchedule show(long frames, DisplaySchedule schedule) {
            for (long frame = 1; frame <= frames; frame++) {
                assertThat(schedule.awaitFrame()).isTrue();
                if (publishes) {
                    world.runUntil(clock.nanoTime());
                }
                if (view.advance(schedule.targetNanos(), schedule.displayNanos())) {
                    draw(frame);
                }
            }
            return schedule;
        }

        private void draw(long frame) {
            clock.advance(takesNanos + (frame % 10 == 0 ? tenthTakesMoreNanos : 0));
            boolean isWaiting = waitsForRefresh && frame > hiddenFrames;
            long refresh = rate.tickAt(clock.nanoTime()) + 1;
            long shownAtNanos = isWaiting ? rate.nanosAt(refresh) : clock.nanoTime();
            if (isWaiting) {
                clock.advance(shownAtNanos - clock.nanoTime() + random.nextLong(maxJitterNanos));
            }
            if (frame == WARM_UP_FRAMES) {
                error.reset();
            }
            error.frame(view.clock().shownSimNanos(), view.window().timeline(), shownAtNanos);
        }
    }

    /** A timer whose parks and spins advance the clock. Only this timer and the display advance it. */
    private final class Timer implements Waiter {

        private long everyTenthOversleepsNanos = OVERSLEEP_NANOS;
        private long parks;
        private long spins;

        @Override
        public void park(long nanos) {
            parks++;
            clock.advance(nanos + (parks % 10 == 0 ? everyTenthOversleepsNanos : OVERSLEEP_NANOS));
        }

        @Override
        public void spin() {
            spins++;
            clock.advance(SPIN_NANOS);
        }
    }
}
