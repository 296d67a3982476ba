package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.ContestantMeter.Measured;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneThreadTest {

    private static final long MILLI = 1_000_000;
    private static final TickRate HUNDRED = TickRate.hertz(100);

    private final WorkClock.Virtual clock = new WorkClock.Virtual();
    private final List<Long> begins = new ArrayList<>();

    @Test
    void shouldDisplayInTheFirstSlotNotBeforeTheEnd() {
        VirtualDisplay display = new VirtualDisplay(HUNDRED);
        assertThat(display.slotNanos(0)).isZero();
        assertThat(display.slotNanos(1)).isEqualTo(10 * MILLI);
        assertThat(display.slotNanos(10 * MILLI)).isEqualTo(10 * MILLI);
        assertThat(display.slotNanos(10 * MILLI + 1)).isEqualTo(20 * MILLI);
        assertThat(new VirtualDisplay(TickRate.hertz(60)).slotNanos(17 * MILLI)).isEqualTo(33_333_333);
    }

    /** Frames of 10, 11 and 30 ms on a display of 100 Hz. */
    @Test
    void shouldBeginAFrameWhereTheOneBeforeIsDisplayed() {
        Measured measured = run(new VirtualDisplay(HUNDRED), 10, 11, 30);
        assertThat(begins).startsWith(0L, 10 * MILLI, 30 * MILLI, 60 * MILLI);
        assertThat(measured.ballHeight().x()).startsWith(0.010, 0.030, 0.060);
    }

    @Test
    void shouldFreezeOnce() {
        run(new VirtualDisplay(HUNDRED, 5 * MILLI, 100 * MILLI), 10, 10, 10);
        assertThat(begins).startsWith(0L, 10 * MILLI, 120 * MILLI, 130 * MILLI);
    }

    /** Ticks beside a frame cost what they take longer than it, and are shown in the next. */
    @Test
    void shouldRunStepsBesideTheFrame() {
        TickedScene scene = new TickedScene(LoadProfile.HEAVY, clock);
        GameLoop loop = GameLoops.beside(scene, HUNDRED, clock, Runnable::run);
        loop.frame();
        assertThat(clock.nanoTime()).isEqualTo(LoadProfile.DRAW_NANOS);
        clock.spendUntil(20 * MILLI);
        loop.frame();
        long costs = LoadProfile.HEAVY.costNanos(1) + LoadProfile.HEAVY.costNanos(2);
        assertThat(costs).isGreaterThan(LoadProfile.DRAW_NANOS);
        assertThat(clock.nanoTime()).isEqualTo(20 * MILLI + costs);
        assertThat(loop.picture().shownSimNanos()).as("the state before").isZero();
        loop.frame();
        assertThat(loop.picture().shownSimNanos()).isEqualTo(20 * MILLI);
    }

    private Measured run(VirtualDisplay display, long... frameMillis) {
        Picture picture = new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {}
        };
        Runnable frame = () -> {
            int next = Math.min(begins.size(), frameMillis.length - 1);
            begins.add(clock.nanoTime());
            clock.spend(frameMillis[next] * MILLI);
        };
        GameLoop loop = new GameLoop(picture, frame, () -> {});
        ContestantMeter meter =
                new ContestantMeter(Contestant.ACCUMULATOR, LoadProfile.LIGHT, RefreshCase.FPS_144, 0, 0);
        VirtualContest.runOneThread(loop, clock, display, meter, 200 * MILLI);
        return meter.measured();
    }
}
