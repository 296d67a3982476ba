package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that is ticking elsewhere while it is followed. */
@Timeout(30)
class LiveRunTest {

    private static final long MILLI = 1_000_000;

    /** Ticks come one by one, with their due times. */
    private static final class LiveRun implements TickSource, TickSource.Run {

        private final RecordedInput input = new RecordedInput();
        volatile long dueNanos = Long.MAX_VALUE;
        TimeScale scale = TimeScale.ONE;
        boolean standsStill;

        @Override
        public TickRate rate() {
            return TickRate.hertz(100);
        }

        @Override
        public TickSource open(Simulation simulation) {
            return this;
        }

        @Override
        public boolean isReady() {
            return dueNanos != Long.MAX_VALUE;
        }

        @Override
        public long dueNanos(long expectedNanos) {
            return dueNanos;
        }

        @Override
        public TimeScale scale(TimeScale requested) {
            return scale;
        }

        @Override
        public boolean standsStill() {
            return standsStill;
        }

        @Override
        public void take(long tick) {
            dueNanos = Long.MAX_VALUE;
        }

        @Override
        public InputFrame input(long fromNanos, long due) {
            input.begin(due - fromNanos);
            return input.frame();
        }
    }

    private final LiveRun run = new LiveRun();
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(new PushedMasses(1)).follow(run).inline(clock);

    private int at(long milli) {
        clock.advance(milli * MILLI - clock.nanoTime());
        return driver.runDueTicks();
    }

    @Test
    void aTickWaitsUntilItIsKnownAndDue() {
        assertThat(at(25)).isZero();
        run.dueNanos = 30 * MILLI;
        assertThat(at(29)).isZero();
        assertThat(at(30)).isEqualTo(1);
        assertThat(driver.skippedNanos()).isEqualTo(20 * MILLI);
        assertThat(at(45)).isZero();
        run.dueNanos = 40 * MILLI;
        assertThat(at(45)).isEqualTo(1);
        assertThat(driver.skippedNanos()).as("late here, not by the run").isEqualTo(20 * MILLI);
    }

    @Test
    void aRunThatIsAheadIsFollowedAtOnce() {
        at(1000);
        run.dueNanos = -500 * MILLI; // it began before this process
        assertThat(at(1001)).isEqualTo(1);
        run.dueNanos = -490 * MILLI;
        assertThat(at(1001)).isEqualTo(1);
        assertThat(driver.skippedNanos()).isZero();
    }

    @Test
    void timeStandsStillAndChangesItsSpeedWithTheRun() {
        run.dueNanos = 10 * MILLI;
        run.standsStill = true;
        run.scale = new TimeScale(1, 2);
        assertThat(at(10)).isEqualTo(1);
        assertThat(at(100)).isZero();
        run.dueNanos = 130 * MILLI;
        assertThat(at(120)).isZero();
        run.standsStill = false;
        assertThat(at(130)).isEqualTo(1);
        run.dueNanos = 150 * MILLI; // at half the speed
        assertThat(at(149)).isZero();
        assertThat(at(150)).isEqualTo(1);
        assertThat(driver.skippedNanos()).isZero();
    }

    @Test
    void aServiceWaitsForItsTicksAndCanBeClosedMeanwhile() throws Exception {
        LiveRun live = new LiveRun();
        try (PhysicsService service = PhysicsService.builder(new PushedMasses(1))
                .follow(live)
                .lateTicks(LateTicks.runAll())
                .start()) {
            live.dueNanos = System.nanoTime() + 20 * MILLI;
            while (live.dueNanos != Long.MAX_VALUE) {
                Thread.onSpinWait();
            }
            for (int query = 0; query < 3; query++) { // answered although no tick comes
                assertThat(service.query(tick -> tick).get().tick()).isEqualTo(1);
            }
        }
    }
}
