package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.lifecycle.Lifecycle;
import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.loop.TickSchedule;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.HostedTicks;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Elapsed time is simulated, slowed, skipped or paused time, within one tick, however a run ends and whatever its policy for late ticks is.
 * The test's thread is the physics thread, so that each run is the same.
 */
class TimeAccountTest {

    private static final long MILLI = 1_000_000;
    private static final long TICK_NANOS = 10 * MILLI;

    /** How a run ends after {@link #LAST_TICK} ticks. */
    private enum End {
        NEVER_STARTED,
        BEFORE_THE_FIRST_TICK,
        BETWEEN_TICKS,
        WITHIN_A_STEP,
        WITHIN_A_STEP_THAT_ASKS_FOR_A_PAUSE,
        AFTER_A_LONG_STEP,
        PAUSED,
        PAUSED_AFTER_A_LONG_STEP,
        RESUMED_AT_ANOTHER_SPEED,
        FAILING_STEP,
        FAILING_STEP_THAT_WAS_CLOSED,
        ABANDONED,
        ABANDONED_AFTER_ITS_CLOSE,
        HANGING_CLOSE
    }

    private static final List<LateTicks> POLICIES = List.of(
            LateTicks.dilate(),
            new LateTicks(new TimeScale(1, 2), 0),
            LateTicks.catchUp(0),
            LateTicks.catchUp(40 * MILLI),
            LateTicks.catchUp());

    private static final int LAST_TICK = 100;
    private static final long LONG_NANOS = 1_234_567_891;

    private final ManualClock clock = new ManualClock(-500 * MILLI);
    private final TurnsOfTheTest host = new TurnsOfTheTest();
    private long stepNanos;
    private long slowerNanos;
    private ScriptedSimulation.Step last = tick -> clock.advance(stepNanos);
    private Runnable closing = () -> {};
    private long endNanos;
    private long pausedNanos;

    static Stream<Arguments> runs() {
        return POLICIES.stream()
                .flatMap(policy -> Arrays.stream(End.values())
                        .flatMap(end -> Stream.of(2, 14, 45, 300).map(millis -> Arguments.of(policy, end, millis))));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void shouldAccountForAllTime(LateTicks policy, End end, int stepMillis) {
        stepNanos = stepMillis * MILLI;
        Lifecycle run = run(policy);
        if (end == End.NEVER_STARTED) {
            close(run);
        }
        run.start(clock.nanoTime());
        long startNanos = clock.nanoTime();
        if (end == End.BEFORE_THE_FIRST_TICK) {
            close(run);
        }
        prepare(end, run);
        while (run.loop.schedule.nextTick() <= LAST_TICK && slice(run)) {
            // runs ticks
        }
        finish(end, run);

        TickSchedule schedule = run.loop.schedule;
        long simulatedNanos = (schedule.nextTick() - 1) * TICK_NANOS + slowerNanos;
        long elapsedNanos = endNanos - startNanos - pausedNanos;
        long counted = simulatedNanos + schedule.account.slowedNanos() + schedule.account.skippedNanos();
        long partsNanos = TICK_NANOS
                * (end == End.RESUMED_AT_ANOTHER_SPEED ? 3 : 1); // of a tick, and of one that is twice as long
        assertThat(counted).as("of %d ms elapsed", elapsedNanos / MILLI).isCloseTo(elapsedNanos, within(partsNanos));
        if (!schedule.isSlowed()) {
            assertThat(schedule.account.skippedTicks() * TICK_NANOS)
                    .as("ticks skipped")
                    .isLessThanOrEqualTo(schedule.account.skippedNanos() + TICK_NANOS);
        }
        double factor = schedule.account.realTimeFactor();
        double lostNanos = schedule.account.slowedNanos() + schedule.account.skippedNanos();
        assertThat(factor)
                .isEqualTo(
                        lostNanos == 0
                                ? 1
                                : (simulatedNanos - slowerNanos) / (simulatedNanos - slowerNanos + lostNanos),
                        within(slowerNanos == 0 ? 1e-6 : 0.02));
        PhysicsStats stats = run.loop.meters.stats;
        assertThat(stats.slowMotion().isEmpty()).isEqualTo(stats.speed() == 1);
        if (factor == 1) {
            assertThat(stats.speed()).isEqualTo(1);
        } else if (end != End.RESUMED_AT_ANOTHER_SPEED) {
            assertThat(stats.speed()).isLessThan(1);
        }
    }

    /** The caller closes it late, within a step or after one that has failed. */
    @ParameterizedTest
    @CsvSource({"CLOSED, 2", "CLOSED, 14", "WITHIN_A_STEP, 2", "WITHIN_A_STEP, 14", "FAILED, 2", "FAILED, 14"})
    void shouldAccountForAllTimeOfAnInlineDriver(String end, int stepMillis) {
        for (LateTicks policy : POLICIES) {
            stepNanos = stepMillis * MILLI;
            long startNanos = clock.nanoTime();
            InlineDriver[] self = new InlineDriver[1];
            InlineDriver driver = builder(policy).inline(clock);
            self[0] = driver;
            last = tick -> {
                clock.advance(LONG_NANOS);
                endNanos = clock.nanoTime();
                if (end.equals("FAILED")) {
                    throw new IllegalStateException("bodies overlap");
                } else if (end.equals("WITHIN_A_STEP")) {
                    self[0].close();
                    clock.advance(LONG_NANOS);
                }
            };
            try {
                while (driver.loop.lastPublished() < LAST_TICK) {
                    clock.advance(Math.max(0, driver.nextDueNanos() - clock.nanoTime()));
                    driver.runDueTicks(1);
                }
            } catch (IllegalStateException bodiesOverlap) {
                assertThat(end).isEqualTo("FAILED");
            }
            clock.advance(LONG_NANOS);
            endNanos = end.equals("CLOSED") ? clock.nanoTime() : endNanos;
            driver.close();
            long simulatedNanos = driver.loop.lastPublished() * TICK_NANOS;
            assertThat(simulatedNanos + driver.slowedNanos() + driver.skippedNanos())
                    .as("%s", policy)
                    .isCloseTo(endNanos - startNanos, within(TICK_NANOS));
            assertThat(driver.realTimeFactor())
                    .isEqualTo((double) simulatedNanos / (endNanos - startNanos), within(0.01));
            assertThat(driver.stats().speed()).isLessThan(1);
        }
    }

    private void prepare(End end, Lifecycle run) {
        switch (end) {
            case WITHIN_A_STEP -> last = tick -> closeWithin(run);
            case WITHIN_A_STEP_THAT_ASKS_FOR_A_PAUSE ->
                last = tick -> {
                    run.loop.time.pause();
                    closeWithin(run);
                };
            case AFTER_A_LONG_STEP -> last = tick -> clock.advance(LONG_NANOS);
            case PAUSED, RESUMED_AT_ANOTHER_SPEED ->
                last = tick -> {
                    clock.advance(stepNanos);
                    run.loop.time.pause();
                };
            case PAUSED_AFTER_A_LONG_STEP ->
                last = tick -> {
                    clock.advance(LONG_NANOS);
                    run.loop.time.pause();
                };
            case FAILING_STEP ->
                last = tick -> {
                    clock.advance(LONG_NANOS);
                    endNanos = clock.nanoTime();
                    throw new IllegalStateException("bodies overlap");
                };
            case FAILING_STEP_THAT_WAS_CLOSED ->
                last = tick -> {
                    closeWithin(run);
                    throw new IllegalStateException("bodies overlap");
                };
            case ABANDONED ->
                last = tick -> {
                    clock.advance(LONG_NANOS);
                    endNanos = clock.nanoTime();
                    abandon(run);
                };
            case ABANDONED_AFTER_ITS_CLOSE ->
                last = tick -> {
                    closeWithin(run);
                    abandon(run);
                };
            case HANGING_CLOSE ->
                closing = () -> {
                    clock.advance(LONG_NANOS);
                    abandon(run);
                };
            default -> {}
        }
    }

    private void finish(End end, Lifecycle run) {
        switch (end) {
            case BETWEEN_TICKS, HANGING_CLOSE -> {
                clock.advance(Math.max(0, run.loop.schedule.nextDueNanos() - clock.nanoTime()) * 6 / 10);
                close(run);
            }
            case AFTER_A_LONG_STEP -> close(run);
            case PAUSED, PAUSED_AFTER_A_LONG_STEP -> {
                pause(run);
                close(run);
            }
            case RESUMED_AT_ANOTHER_SPEED -> resumeSlower(run);
            default -> {}
        }
        for (int slices = 0; slices < 3 && slice(run); slices++) {
            // the last slice
        }
        assertThat(run.state()).isIn(ServiceState.CLOSED, ServiceState.FAILED);
    }

    /** Half as fast for ten ticks. */
    private void resumeSlower(Lifecycle run) {
        pause(run);
        run.loop.time.scale(new TimeScale(1, 2));
        run.loop.time.resume();
        last = tick -> clock.advance(stepNanos);
        for (long until = run.loop.schedule.nextTick() + 10; run.loop.schedule.nextTick() < until; ) {
            assertThat(slice(run)).isTrue();
        }
        slowerNanos = 10 * TICK_NANOS;
        clock.advance(MILLI);
        close(run);
    }

    /** An hour, from the instant on at which the schedule says that no more was skipped. */
    private void pause(Lifecycle run) {
        assertThat(run.loop.schedule.isPaused()).isTrue();
        long fromNanos = clock.nanoTime();
        for (int slices = 0; slices < 100; slices++) {
            slice(run);
        }
        clock.advance(3_600_000 * MILLI);
        pausedNanos = clock.nanoTime() - fromNanos;
    }

    private void closeWithin(Lifecycle run) {
        clock.advance(LONG_NANOS / 3);
        close(run);
        clock.advance(LONG_NANOS);
    }

    private void close(Lifecycle run) {
        run.cancel();
        endNanos = run.closedAtNanos();
    }

    private static void abandon(Lifecycle run) {
        assertThat(run.abandon(run.loop.guard.crossings(), LONG_NANOS)).isTrue();
    }

    /** Waits until the next slice is due, and runs it. Returns whether there is another. */
    private boolean slice(Lifecycle run) {
        if (host.nextNanos == HostedTicks.ENDED) {
            return false;
        }
        clock.advance(Math.max(0, host.nextNanos - clock.nanoTime()));
        host.nextNanos = run.runSlice(host.times);
        return host.nextNanos != HostedTicks.ENDED;
    }

    private Lifecycle run(LateTicks policy) {
        Settings settings = builder(policy).onFailure(failed -> {}).settings(Settings.Runner.OWN_THREAD);
        return new Lifecycle(new TickLoop(settings, clock, Runnable::run), run -> host);
    }

    private PhysicsServiceBuilder builder(LateTicks policy) {
        Simulation simulation = new ScriptedSimulation(
                tick -> {
                    if (tick.number() == LAST_TICK) {
                        last.run(tick);
                    } else {
                        clock.advance(stepNanos);
                    }
                },
                () -> closing.run());
        return PhysicsService.builder(simulation).rate(TickRate.hertz(100)).lateTicks(policy);
    }

    /** Runs slices when the test says so. */
    private static final class TurnsOfTheTest implements TickHost {

        final ThreadTimes times = ThreadTimes.notCounted();
        long nextNanos = Long.MIN_VALUE + 1;

        @Override
        public long startNanos(long periodNanos) {
            throw new IllegalStateException("the test says when");
        }

        @Override
        public void start() {}

        @Override
        public void signal() {}

        @Override
        public void cancel() {}

        @Override
        public void ending() {}

        @Override
        public void abandoned() {}

        @Override
        public boolean isCaller() {
            return true;
        }

        @Override
        public boolean awaitEnd(long maxNanos) {
            return true;
        }
    }
}
