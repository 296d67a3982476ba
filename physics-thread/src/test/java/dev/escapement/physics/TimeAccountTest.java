package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.lifecycle.Lifecycle;
import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.schedule.TickSchedule;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the account covers all elapsed time, except less than one tick, for every end of a run. The test's thread is the physics
 * thread.
 */
class TimeAccountTest {

    private static final long MILLI = 1_000_000;
    private static final long TICK_NANOS = 10 * MILLI;

    /** The end of a run after {@link #LAST_TICK} ticks. */
    enum End {
        NEVER_STARTED,
        BETWEEN_TICKS,
        WITHIN_A_STEP,
        WITHIN_A_STEP_THAT_ASKS_FOR_A_PAUSE,
        PAUSED_AFTER_A_LONG_STEP,
        FAILING_STEP,
        ABANDONED,
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
    private final ThreadTimes times = ThreadTimes.notCounted();
    private long nextNanos = Long.MIN_VALUE + 1;

    /** A host whose slices the test runs itself. */
    private final TickHost host = (TickHost) Proxy.newProxyInstance(
            TickHost.class.getClassLoader(),
            new Class<?>[] {TickHost.class},
            (proxy, method, arguments) -> method.isDefault()
                    ? InvocationHandler.invokeDefault(proxy, method, arguments)
                    : method.getReturnType() == boolean.class ? true : null);

    private long stepNanos;
    private ScriptedSimulation.Step last = tick -> {};
    private Runnable closing = () -> {};
    private long endNanos;
    private long pausedNanos;

    static Stream<Arguments> runs() {
        return POLICIES.stream()
                .flatMap(policy -> Arrays.stream(End.values())
                        .flatMap(end -> Stream.of(2, 14, 300).map(millis -> Arguments.of(policy, end, millis))));
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
        last = lastStep(end, run);
        while (run.loop.schedule.nextPublishedTick() <= LAST_TICK && slice(run)) {
            // slice() runs the ticks
        }
        finish(end, run);

        TickSchedule schedule = run.loop.schedule;
        long simulatedNanos = (schedule.nextPublishedTick() - 1) * TICK_NANOS;
        long lostNanos = schedule.account.slowedNanos() + schedule.account.skippedNanos();
        long elapsedNanos = endNanos - startNanos - pausedNanos;
        assertThat(simulatedNanos + lostNanos)
                .as("of %d ms elapsed", elapsedNanos / MILLI)
                .isCloseTo(elapsedNanos, within(TICK_NANOS));
        if (!schedule.isSlowed()) {
            assertThat(schedule.account.skippedTicks() * TICK_NANOS)
                    .as("ticks skipped")
                    .isLessThanOrEqualTo(schedule.account.skippedNanos() + TICK_NANOS);
        }
        double factor = schedule.account.realTimeFactor();
        assertThat(factor)
                .isEqualTo(lostNanos == 0 ? 1 : (double) simulatedNanos / (simulatedNanos + lostNanos), within(1e-6));
        PhysicsStats stats = run.loop.stats;
        assertThat(stats.slowMotion().isEmpty()).isEqualTo(stats.speed() == 1);
        assertThat(stats.speed() == 1).isEqualTo(factor == 1);
    }

    private ScriptedSimulation.Step lastStep(End end, Lifecycle run) {
        return switch (end) {
            case WITHIN_A_STEP -> tick -> closeWithin(run);
            case WITHIN_A_STEP_THAT_ASKS_FOR_A_PAUSE ->
                tick -> {
                    run.loop.time.pause();
                    closeWithin(run);
                };
            case PAUSED_AFTER_A_LONG_STEP ->
                tick -> {
                    clock.advance(LONG_NANOS);
                    run.loop.time.pause();
                };
            case FAILING_STEP ->
                tick -> {
                    clock.advance(LONG_NANOS);
                    endNanos = clock.nanoTime();
                    throw new IllegalStateException("bodies overlap");
                };
            case ABANDONED ->
                tick -> {
                    clock.advance(LONG_NANOS);
                    endNanos = clock.nanoTime();
                    abandon(run);
                };
            default -> tick -> clock.advance(stepNanos);
        };
    }

    private void finish(End end, Lifecycle run) {
        switch (end) {
            case BETWEEN_TICKS, HANGING_CLOSE -> {
                closing = () -> {
                    clock.advance(LONG_NANOS);
                    if (end == End.HANGING_CLOSE) {
                        abandon(run);
                    }
                };
                clock.advance(Math.max(0, run.loop.schedule.nextDueNanos() - clock.nanoTime()) * 6 / 10);
                close(run);
            }
            case PAUSED_AFTER_A_LONG_STEP -> {
                pause(run);
                close(run);
            }
            default -> {}
        }
        for (int slices = 0; slices < 3 && slice(run); slices++) {
            // slice() runs the last slices
        }
        assertThat(run.state()).isIn(ServiceState.CLOSED, ServiceState.FAILED);
    }

    /** Stays paused for an hour. All of this time must count as paused, and none as skipped. */
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
        endNanos = clock.nanoTime();
        run.cancel();
    }

    private static void abandon(Lifecycle run) {
        assertThat(run.abandon(run.loop.guard.crossings(), LONG_NANOS)).isTrue();
    }

    private boolean slice(Lifecycle run) {
        if (nextNanos == SlicedRun.ENDED) {
            return false;
        }
        clock.advance(Math.max(0, nextNanos - clock.nanoTime()));
        nextNanos = run.runSlice(times);
        return nextNanos != SlicedRun.ENDED;
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
}
