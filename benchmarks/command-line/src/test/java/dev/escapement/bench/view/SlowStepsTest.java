package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.LoadProfile;
import dev.escapement.bench.compare.WorkClock;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

class SlowStepsTest {

    private static final int TICKS = 20;

    private final ManualClock work = new ManualClock(0);
    private boolean slow;

    private final WorkClock clock = new WorkClock() {
        @Override
        public long nanoTime() {
            return work.nanoTime();
        }

        @Override
        public void spend(long nanos) {
            work.advance(nanos);
        }
    };

    @Test
    void shouldTakeAsLongAsTheHeavyLoadAndLeaveTheStateAlone() {
        long before = run(false);
        assertThat(work.nanoTime()).isZero();
        assertThat(run(true)).as("state").isEqualTo(before);
        long expected = 0;
        for (int tick = 1; tick <= TICKS; tick++) {
            expected += LoadProfile.HEAVY.costNanos(tick);
        }
        assertThat(work.nanoTime()).isEqualTo(expected);
    }

    @Test
    void shouldLetTheStateBeLookedAt() {
        SpringSimulation springs = new SpringSimulation(4);
        SlowSteps steps = new SlowSteps(springs, clock, () -> false);
        assertThat(steps.bodyCount()).isEqualTo(4);
        assertThat(steps.stateComponents()).isEqualTo(springs.stateComponents());
        long[] bits = new long[springs.stateComponents().size()];
        long[] own = new long[bits.length];
        steps.readState(2, bits, 0);
        springs.readState(2, own, 0);
        assertThat(bits).isEqualTo(own);
    }

    private long run(boolean slowSteps) {
        slow = slowSteps;
        SlowSteps steps = new SlowSteps(new SpringSimulation(5), clock, () -> slow);
        ManualClock ticks = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(steps).inline(ticks)) {
            ticks.advance(TICKS * 10_000_000L);
            assertThat(driver.runDueTicks()).isEqualTo(TICKS);
            return steps.hash();
        }
    }
}
