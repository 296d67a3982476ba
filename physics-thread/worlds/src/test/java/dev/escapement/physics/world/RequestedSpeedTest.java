package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests other speeds and pauses in slow motion, while a view shows frames. The driver looks as often as a service. */
class RequestedSpeedTest {

    private static final long LOOK_NANOS = 10_000_000;
    private static final long FRAME_NANOS = TickRate.hertz(144).nanosAt(1);
    private static final long MAX_NANOS = 30_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final SplittableRandom random = new SplittableRandom(117);
    private long nextFrameNanos;
    private long nextLookNanos;

    /**
     * From 30 ms after a request on, frames move at the requested speed. A picture that went back would instead stand still until simulated
     * time has caught up with it. In a pause within a tick, no frame moves after that; a pause that begins at a tick shows that tick.
     */
    @ParameterizedTest
    @CsvSource({"100, 100", "100, 1000", "30, 2"})
    void shouldShowRequestsWithinThirtyMillisecondsWithoutGoingBack(int hertz, int timesSlower) {
        TickRate rate = TickRate.hertz(hertz);
        TimeScale slow = new TimeScale(1, timesSlower);
        InlineDriver driver =
                PhysicsService.builder(ScriptedSimulation.good()).rate(rate).inline(clock);
        FrameView view = FrameView.of(driver.newReader());
        run(driver, view, 20 * rate.nanosAt(1));
        driver.timeScale(slow);
        for (int request = 0; request < 20; request++) {
            run(driver, view, random.nextLong(rate.nanosAt(3) * timesSlower));
            long shownNanos = view.clock().shownSimNanos();
            boolean pauses = random.nextBoolean();
            TimeScale asked = pauses ? slow : new TimeScale(1, random.nextInt(1, 2 * timesSlower));
            if (pauses) {
                driver.pause();
            } else {
                driver.timeScale(asked);
            }
            run(driver, view, MAX_NANOS);
            long simNanos = view.window().timeline().simNanosAt(clock.nanoTime());
            boolean isWithinTick = simNanos != rate.nanosAt(view.window().newestTick());
            if (!pauses) {
                double speed = (double) asked.numerator() / asked.denominator();
                assertThat(speed(driver, view))
                        .as("request %d of %s", request, asked)
                        .isCloseTo(speed, within(speed / 50));
            } else if (isWithinTick) {
                assertThat(speed(driver, view))
                        .as("request %d of a pause", request)
                        .isZero();
                assertThat(view.clock().shownSimNanos() - shownNanos).isLessThanOrEqualTo(MAX_NANOS / timesSlower);
            }
            driver.timeScale(slow);
            driver.resume();
            run(driver, view, isWithinTick || !pauses ? MAX_NANOS : MAX_NANOS + timesSlower * rate.nanosAt(1));
        }
    }

    private double speed(InlineDriver driver, FrameView view) {
        long nanos = nextFrameNanos;
        long shownNanos = view.clock().shownSimNanos();
        run(driver, view, 3 * FRAME_NANOS);
        return (double) (view.clock().shownSimNanos() - shownNanos) / (nextFrameNanos - nanos);
    }

    private void run(InlineDriver driver, FrameView view, long nanos) {
        long untilNanos = clock.nanoTime() + nanos;
        while (clock.nanoTime() < untilNanos) {
            clock.advance(Math.min(untilNanos, Math.min(nextLookNanos, nextFrameNanos)) - clock.nanoTime());
            if (clock.nanoTime() == nextLookNanos) {
                driver.runDueTicks();
                boolean isFar = driver.nextDueNanos() - nextLookNanos > 2 * LOOK_NANOS;
                nextLookNanos = isFar ? nextLookNanos + LOOK_NANOS : driver.nextDueNanos();
            }
            if (clock.nanoTime() == nextFrameNanos) {
                view.advance(nextFrameNanos);
                nextFrameNanos += FRAME_NANOS;
            }
        }
    }
}
