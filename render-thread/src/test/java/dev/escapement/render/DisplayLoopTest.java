package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.display.DisplaySchedule;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames paced by a display of 59.94 Hz, a rate that the view must learn. The render thread is real; time passes only where it waits or
 * works.
 */
@Timeout(60)
class DisplayLoopTest {

    private static final TickRate DISPLAY = TickRate.parse("60000/1001");
    private static final double GUESSED_PERIOD_NANOS = 1e9 / 60;
    private static final long WARM_UP_FRAMES = 900;
    private static final long SPIN_NANOS = 50;
    private static final long OVERSLEEP_NANOS = 60_000;

    private final ManualClock clock = new ManualClock(0);
    private final PublishedWorld world = new PublishedWorld(3, tick -> 1_000_000 + tick * 1_435_761 % 7_000_000);
    private final FrameView view = FrameView.of(world.newReader());
    private final Timer timer = new Timer();

    @Test
    void shouldMoveEvenlyOnADisplayWhoseFramesAreWokenLate() throws Exception {
        Display display = new Display();
        display.maxJitterNanos = 3_000_000;
        RenderLoop loop = display.show(4500);

        assertThat(display.waits).as("set before it was opened").isTrue();
        assertThat(display.error.frames()).isEqualTo(1 + 4500 - WARM_UP_FRAMES);
        assertThat(display.error.meanNanos()).isLessThan(10_000);
        assertThat(display.error.p99Nanos()).isLessThan(20_000);
        assertThat(timer.parks).as("only before there is something to draw").isLessThan(5);
        assertThat(loop.missedSlots()).isZero();
    }

    @Test
    void shouldMakeOneFrameAPeriodWhereTheSwapDoesNotWait() throws Exception {
        Display display = new Display();
        display.waitsForRefresh = false;
        RenderLoop loop = display.show(3000);

        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS)
                .as(
                        "periods from the first frame to the end of the last; three pass until it is seen that the swap does not wait")
                .isBetween(2996.0, 2998.0);
        assertThat(timer.parks).isGreaterThanOrEqualTo(2996);
        assertThat((double) timer.spins * SPIN_NANOS / clock.nanoTime()).isLessThan(0.005);
        assertThat(display.error.meanNanos())
                .as("the timer's lateness is not the display's")
                .isLessThan(1_000);
        assertThat(loop.missedSlots()).isZero();
    }

    @Test
    void shouldNotSpinWhileThereIsNothingToShow() throws Exception {
        Display display = new Display();
        display.publishes = false;
        display.show(100);
        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS).isBetween(96.0, 97.0);
    }

    @Test
    void shouldCountThePeriodsThatLongFramesMiss() throws Exception {
        Display display = new Display();
        display.everyTenthTakesNanos = DISPLAY.nanosAt(5) / 2;
        RenderLoop loop = display.show(1000);
        assertThat(loop.missedSlots())
                .as("two by every tenth frame, once the period is known")
                .isEqualTo(2 * 96);
    }

    /** The timer wakes the thread so late that the next period has passed, too. */
    @Test
    void shouldCountThePeriodsThatAreSleptThrough() throws Exception {
        Display display = new Display();
        display.waitsForRefresh = false;
        timer.everyTenthOversleepsNanos = 2 * DISPLAY.nanosAt(1);
        RenderLoop loop = display.show(1000);
        assertThat(loop.missedSlots()).isEqualTo(2 * (timer.parks / 10));
    }

    /** It draws for longer than the period of any display that is not known. */
    @ParameterizedTest
    @ValueSource(longs = {2_100_000, 5_000_000, 9_000_000})
    void shouldKeepToTheReportedRateWhereTheSwapDoesNotWait(long takesNanos) throws Exception {
        Display display = new Display();
        display.reportedHertz = OptionalDouble.of(60);
        display.waitsForRefresh = false;
        display.takesNanos = takesNanos;
        display.everyTenthTakesNanos = takesNanos;
        RenderLoop loop = display.show(3000);
        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS)
                .as("at most three in 128 frames try whether it waits")
                .isBetween(2920.0, 3000.0);
        assertThat(loop.missedSlots()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {480, 540, 1000})
    void shouldFollowAFastDisplayThatIsReported(long hertz) throws Exception {
        Display display = new Display();
        display.rate = TickRate.hertz(hertz);
        display.reportedHertz = OptionalDouble.of((double) hertz);
        display.takesNanos = 300_000;
        display.everyTenthTakesNanos = 300_000;
        display.show(3000);
        assertThat(timer.parks).as("only before there is something to draw").isLessThan(40);
    }

    /** From the timer's period to the display's next picture is a part of a period, which looks like a swap that does not wait. */
    @ParameterizedTest
    @ValueSource(longs = {100, 300, 500, 700, 900})
    void shouldFollowTheDisplayAgainWhereAWindowIsBack(long hiddenFrames) throws Exception {
        Display display = new Display();
        display.reportedHertz = OptionalDouble.of(60);
        display.hiddenFrames = hiddenFrames;
        display.takesNanos = 2_100_000;
        display.everyTenthTakesNanos = 2_100_000;
        display.show(1500);
        assertThat(timer.parks).isBetween(hiddenFrames - 30, hiddenFrames + 130);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -60, 1e9, Double.NaN})
    void shouldNotBelieveARateThatNoDisplayHas(double hertz) throws Exception {
        Display display = new Display();
        display.reportedHertz = OptionalDouble.of(hertz);
        display.waitsForRefresh = false;
        display.show(300);
        assertThat(clock.nanoTime() / GUESSED_PERIOD_NANOS).isBetween(296.0, 298.0);
    }

    /** The slot after a late wake-up may be half a period ahead, and the frame is too long to be taken for one that does not wait. */
    @Test
    void shouldNotGoBackWhereALongFrameFollowsALateTimer() {
        DisplaySchedule schedule = new DisplaySchedule(clock, timer, OptionalDouble.empty());
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

    /** Shows a drawn frame at its next refresh; the swap waits until then, if it waits. */
    private final class Display implements RenderBackend, FrameListener {

        private final SplittableRandom random = new SplittableRandom(5994);
        private final ShownError error = new ShownError();
        private final CountDownLatch ended = new CountDownLatch(1);
        private boolean waitsForRefresh = true;
        private TickRate rate = DISPLAY;
        private OptionalDouble reportedHertz = OptionalDouble.empty();
        private long hiddenFrames;
        private boolean publishes = true;
        private long maxJitterNanos = 1;
        private long takesNanos = 1_000_000;
        private long everyTenthTakesNanos = 1_000_000;
        private long frames;
        private long maxFrames;
        private boolean waits;
        private boolean opened;
        private Runnable end = () -> {};

        /** Draws this many frames and returns the loop that did. */
        RenderLoop show(long count) throws Exception {
            maxFrames = count;
            RenderLoop loop = new RenderLoop(view, this, this, new DisplaySchedule(clock, timer, reportedHertz));
            end = loop::close;
            loop.start();
            ended.await();
            loop.close();
            assertThat(loop.failure()).isEmpty();
            return loop;
        }

        @Override
        public void waitForDisplay(boolean isToWait) {
            waits = isToWait && !opened;
        }

        @Override
        public void open() {
            opened = true;
        }

        @Override
        public void beforeAcquire(FrameView unused) {
            if (publishes) {
                world.runUntil(clock.nanoTime());
            }
            if (++frames == maxFrames) {
                end.run();
            }
        }

        @Override
        public void draw(FrameView frame) {
            clock.advance(frames % 10 == 0 ? everyTenthTakesNanos : takesNanos);
            boolean isWaiting = waitsForRefresh && frames > hiddenFrames;
            long refresh = rate.tickAt(clock.nanoTime()) + 1;
            long shownAtNanos = isWaiting ? rate.nanosAt(refresh) : clock.nanoTime();
            if (isWaiting) {
                clock.advance(shownAtNanos - clock.nanoTime() + random.nextLong(maxJitterNanos));
            }
            if (frames == WARM_UP_FRAMES) {
                error.reset();
            }
            error.frame(frame.clock().shownSimNanos(), frame.window().timeline(), shownAtNanos);
        }

        @Override
        public void drawn(FrameView frame, long slotNanos, long completedNanos) {
            assertThat(slotNanos).isEqualTo(frame.clock().displayNanos());
            assertThat(completedNanos).isEqualTo(clock.nanoTime());
        }

        @Override
        public void close() {
            ended.countDown();
        }
    }

    /** Time passes here, and in the display. */
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
