package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeRequestsTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final HashedMasses masses = new HashedMasses();
    private final InlineDriver driver = PhysicsService.builder(masses).inline(clock);
    private final SnapshotReader reader = driver.newReader();

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 10", "64, 1", "3, 7"})
    void shouldGoThroughTheSameStatesAtEverySpeed(long numerator, long denominator) {
        run(100 * TICK_NANOS);
        List<Long> expected = List.copyOf(masses.hashes);
        assertThat(expected).hasSize(100).doesNotHaveDuplicates();

        HashedMasses others = new HashedMasses();
        ManualClock otherClock = new ManualClock(0);
        InlineDriver scaled = PhysicsService.builder(others).inline(otherClock);
        scaled.timeScale(new TimeScale(numerator, denominator));
        while (others.hashes.size() < 100) {
            otherClock.advance(1_234_567);
            scaled.runDueTicks();
        }
        assertThat(others.hashes.subList(0, 100)).isEqualTo(expected);
    }

    @Test
    void shouldTakeTheTimeThatTheScaleSays() {
        run(10 * TICK_NANOS);
        driver.timeScale(new TimeScale(1, 4));
        run(TICK_NANOS); // tick 11 still runs when it was due, and time is slower from there
        assertThat(masses.hashes).hasSize(11);
        run(4 * TICK_NANOS - 1);
        assertThat(masses.hashes).hasSize(11);
        run(1);
        assertThat(masses.hashes).hasSize(12);
    }

    @Test
    void shouldStandStillAfterTheNextTickAndResumeFromNow() {
        run(10 * TICK_NANOS);
        driver.pause();
        run(1_000 * TICK_NANOS);
        assertThat(masses.hashes).hasSize(11);
        reader.acquire();
        assertThat(reader.window().timeline().isPaused()).isTrue();
        assertThat(reader.window().timeline().simNanosAt(clock.nanoTime())).isEqualTo(11 * TICK_NANOS);
        driver.resume();
        driver.runDueTicks();
        assertThat(reader.acquire()).as("the same snapshots, another timeline").isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(11);
        assertThat(reader.window().timeline().isPaused()).isFalse();
        run(TICK_NANOS - 1);
        assertThat(masses.hashes).hasSize(11);
        run(1);
        assertThat(masses.hashes).hasSize(12);
    }

    @Test
    void shouldRunAsManySingleStepsAsAskedFor() {
        driver.pause();
        run(5 * TICK_NANOS);
        assertThat(masses.hashes).hasSize(1);
        driver.step();
        run(5 * TICK_NANOS);
        assertThat(masses.hashes).hasSize(2);
        driver.step();
        driver.step();
        run(5 * TICK_NANOS);
        assertThat(masses.hashes).hasSize(4);
        driver.resume();
        run(5 * TICK_NANOS);
        assertThat(masses.hashes.size()).isGreaterThan(6);
    }

    @Test
    void shouldForgetStepsWhenPaused() {
        for (int i = 0; i < 50; i++) {
            driver.step();
        }
        driver.pause();
        run(20 * TICK_NANOS);
        assertThat(masses.hashes).hasSize(1);
        driver.step();
        driver.resume();
        run(5 * TICK_NANOS);
        assertThat(masses.hashes.size()).isGreaterThan(3);
    }

    /** In steps of a frame. */
    private void run(long nanos) {
        long left = nanos;
        while (left > 0) {
            long step = Math.min(left, 6_944_444);
            clock.advance(step);
            driver.runDueTicks();
            left -= step;
        }
    }

    private static final class HashedMasses extends PushedMasses {

        private final List<Long> hashes = new ArrayList<>();

        HashedMasses() {
            super(3);
        }

        @Override
        public void step(Tick tick) {
            super.step(tick);
            hashes.add(hash());
        }
    }
}
