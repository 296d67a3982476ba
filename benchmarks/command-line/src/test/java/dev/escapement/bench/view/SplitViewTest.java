package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.view.AccumulatorLoop.Picture;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each side of a split window shows, on a manual clock. Ticks are 10 ms, and take as long as the test says. */
class SplitViewTest {

    private static final long MILLI = 1_000_000;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final Metronome METRONOME = new Metronome(10);

    private final ManualClock clock = new ManualClock(0);
    private final Marker marker = new Marker();
    private final InlineDriver driver =
            PhysicsService.builder(marker).rate(RATE).maxReaders(2).inline(clock);
    private final TwoLatestView left = new TwoLatestView(driver.newReader());

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void shouldShowNothingBeforeThereIsAnything() {
        assertThat(left.advance(LoopRule.NEWEST.alpha(), 0)).isFalse();
    }

    @Test
    void shouldShowTheNewestSnapshotAndNothingElse() {
        runUntil(50);
        assertThat(left.advance(LoopRule.NEWEST.alpha(), clock.nanoTime())).isTrue();
        assertShows(50 * MILLI);
        clock.advance(9 * MILLI); // the tick is not due yet: the picture stands still
        left.advance(LoopRule.NEWEST.alpha(), clock.nanoTime());
        assertShows(50 * MILLI);
    }

    @Test
    void shouldBlendByArrivalAndStopAtTheNewest() {
        marker.costNanos = 3 * MILLI;
        runUntil(50); // tick 5 is published at 53 ms
        left.advance(LoopRule.BY_ARRIVAL.alpha(), clock.nanoTime());
        assertShows(40 * MILLI);
        clock.advance(4 * MILLI);
        left.advance(LoopRule.BY_ARRIVAL.alpha(), clock.nanoTime());
        assertShows(44 * MILLI);
        clock.advance(40 * MILLI);
        left.advance(LoopRule.BY_ARRIVAL.alpha(), clock.nanoTime());
        assertShows(50 * MILLI);
    }

    /** The reason for all this: one slow step jolts what goes by arrival, and does not move what goes by due times. */
    @Test
    void shouldBeJoltedByASlowStepOnTheLeftAndNotOnTheRight() {
        FrameView right = FrameView.of(driver.newReader());
        long mostLeft = 0;
        long mostRight = 0;
        long lastLeft = 0;
        long lastRight = 0;
        for (long frame = 1; frame <= 3000; frame++) { // 5 ms each
            boolean slow = frame % 40 == 0;
            marker.costNanos = slow ? 4 * MILLI : 0;
            clock.advance(5 * MILLI - (clock.nanoTime() % (5 * MILLI)));
            driver.runDueTicks();
            long now = frame * 5 * MILLI + 5 * MILLI - 1; // just before the next frame
            clock.advance(Math.max(0, now - clock.nanoTime()));
            boolean shown = left.advance(LoopRule.BY_ARRIVAL.alpha(), now);
            if (right.advance(now) && shown && frame > 2000) {
                mostLeft = Math.max(mostLeft, Math.abs(left.shownSimNanos() - lastLeft - 5 * MILLI));
                mostRight = Math.max(mostRight, Math.abs(right.clock().shownSimNanos() - lastRight - 5 * MILLI));
            }
            lastLeft = left.shownSimNanos();
            lastRight = right.clock().shownSimNanos();
        }
        assertThat(mostLeft).isGreaterThan(3 * MILLI);
        assertThat(mostRight).isLessThan(MILLI / 10);
    }

    @Test
    void shouldRunASecondWorldInItsOwnLoop() {
        Marker second = new Marker();
        AccumulatorLoop loop = new AccumulatorLoop(second, RATE, TickRate.hertz(50), clock);
        assertThat(loop.take(null)).isNull();
        loop.frame(); // starts its time
        clock.advance(34 * MILLI);
        loop.frame();
        assertThat(second.tick).isEqualTo(3);
        Picture picture = Objects.requireNonNull(loop.take(null));
        assertThat(picture.shownSimNanos()).as("a tick behind").isEqualTo(24 * MILLI);
        assertThat(METRONOME.simNanos(picture.poses().block(0).px[0], 2, RATE))
                .isBetween(24 * MILLI - 1000, 24 * MILLI + 1000);
        assertThat(loop.take(picture)).as("no newer one").isSameAs(picture);

        second.costNanos = 30 * MILLI; // longer than the display's slot: a frame takes as long
        clock.advance(10 * MILLI);
        loop.frame();
        assertThat(clock.nanoTime()).isEqualTo(74 * MILLI);
        second.costNanos = 0;
        loop.frame(); // a second one replaces the first, which was not taken
        Picture newer = Objects.requireNonNull(loop.take(picture));
        assertThat(newer).isNotSameAs(picture);
        assertThat(newer.shownSimNanos()).isEqualTo(64 * MILLI);
        assertThat(loop.failure()).isNull();
        loop.world().close();
    }

    @Test
    void shouldTellTheSecondWorldWhatTheFirstIsTold() {
        Marker second = new Marker();
        AccumulatorLoop loop = new AccumulatorLoop(second, RATE, TickRate.hertz(50), clock);
        loop.frame();
        assertThat(loop.world().input().offer(0, InputKind.KEY_DOWN, 32, 0, 0)).isTrue();
        clock.advance(20 * MILLI);
        loop.frame();
        assertThat(second.inputs).isEqualTo(1);
        loop.world().close();
    }

    private void runUntil(long millis) {
        while (clock.nanoTime() < millis * MILLI) {
            clock.advance(10 * MILLI - (clock.nanoTime() % (10 * MILLI)));
            driver.runDueTicks();
        }
    }

    /** What the clock of the view says, and what was drawn. */
    private void assertShows(long simNanos) {
        assertThat(left.shownSimNanos()).isEqualTo(simNanos);
        Interpolator moment = left.moment();
        assertThat(METRONOME.simNanos(moment.block(0).px[0], simNanos / (10 * MILLI), RATE))
                .isBetween(simNanos - 1000, simNanos + 1000);
    }

    /** One body that tells the time, and steps that take time. */
    private final class Marker implements Simulation {
        private long tick;
        private long costNanos;
        private long inputs;

        @Override
        public void step(Tick next) {
            tick = next.number();
            inputs += next.input().size();
            clock.advance(costNanos);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, METRONOME.x(tick), 0, 0, 0, 0, 0, 1);
        }
    }
}
