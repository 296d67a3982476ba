package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InlineDriverTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(77);
    private final List<String> log = new ArrayList<>();

    @Test
    void shouldRunEveryDueTickOnceWithItsInput() {
        InlineDriver driver = PhysicsService.builder(logging()).checksums(true).inline(clock);
        SnapshotReader reader = driver.newReader();
        assertThat(driver.runDueTicks()).isZero();
        driver.input().offer(77 + TICK_NANOS, InputKind.APPLICATION, 1, 0, 0);
        driver.input().offer(77 + TICK_NANOS + 1, InputKind.APPLICATION, 2, 0, 0);
        clock.advance(3 * TICK_NANOS);

        assertThat(driver.runDueTicks()).isEqualTo(3);
        assertThat(driver.runDueTicks()).isZero();

        assertThat(log)
                .containsExactly(
                        "step 1 due 10000077 input [1]", "capture",
                        "step 2 due 20000077 input [2]", "capture",
                        "step 3 due 30000077 input []", "capture");
        assertThat(reader.acquire()).isTrue();
        Snapshot newest = reader.window().newest();
        assertThat(newest.poses().block(0).px[0]).isEqualTo(3);
        assertThat(newest.checksum()).isEqualTo(newest.computeChecksum());
    }

    /** And the loop may be called by another thread than that which built it. */
    @Test
    void shouldReportTheSimulationsThreadWhenTheLoopFirstRuns() {
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(tick -> log.add("step")) {
                    @Override
                    public void begin() {
                        log.add("begin");
                    }
                })
                .inline(clock);
        assertThat(driver.command(tick -> log.add("command"))).isNotDone();
        assertThat(log).isEmpty();
        driver.runDueTicks();
        clock.advance(2 * TICK_NANOS);
        driver.runDueTicks();
        assertThat(log).containsExactly("begin", "command", "step", "step");
    }

    @Test
    void shouldSayThatTheSimulationCouldNotBegin() {
        IOException cause = new IOException("no such level");
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(tick -> log.add("step")) {
                    @Override
                    public void begin() throws Exception {
                        throw cause;
                    }
                })
                .inline(clock);
        clock.advance(TICK_NANOS);
        for (int attempt = 0; attempt < 2; attempt++) { // nothing comes before it
            assertThatIllegalStateException()
                    .isThrownBy(driver::runDueTicks)
                    .withMessageContaining("could not begin")
                    .withCause(cause);
        }
        assertThat(log).isEmpty();
    }

    private Simulation logging() {
        return new Simulation() {
            private long number;

            @Override
            public void step(Tick tick) {
                number = tick.number();
                List<Integer> codes = new ArrayList<>();
                for (int i = 0; i < tick.input().size(); i++) {
                    InputEvent event = tick.input().event(i);
                    codes.add(event.code());
                }
                log.add("step " + number + " due " + tick.dueNanos() + " input " + codes);
            }

            @Override
            public void capture(PoseWriter poses) {
                log.add("capture");
                poses.bodyCount(1);
                poses.set(0, (float) number, 0, 0, 0, 0, 0, 1);
            }
        };
    }

    @Test
    void shouldRunNoMoreThanWasDueAtTheCall() {
        Simulation slow = new ScriptedSimulation(tick -> clock.advance(3 * TICK_NANOS)); // never catches up
        InlineDriver driver = PhysicsService.builder(slow).inline(clock);
        clock.advance(2 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(2);
    }

    /** An accumulator with a clamp does the same. */
    @Test
    void shouldGiveUpTimeIfStepsOutlastATick() {
        Simulation slow = new ScriptedSimulation(tick -> clock.advance(15_000_000));
        InlineDriver driver = PhysicsService.builder(slow).inline(clock);
        long startedNanos = clock.nanoTime();
        int most = 0;
        int ran = 0;
        for (int frame = 0; frame < 100; frame++) {
            clock.advance(6_900_000);
            int ticks = driver.runDueTicks();
            assertThat(ticks).isLessThanOrEqualTo(25);
            most = Math.max(most, ticks);
            ran += ticks;
        }
        assertThat(most).isEqualTo(25);
        long lateNanos = clock.nanoTime() - startedNanos - ran * TICK_NANOS - driver.skippedNanos();
        assertThat(lateNanos).as("neither run nor given up").isBetween(0L, 500_000_000L);
        assertThat(driver.skippedTicks()).isGreaterThan(400);
        assertThat(driver.realTimeFactor()).isBetween(0.6, 0.7);
    }

    @Test
    void shouldGiveUpNothingIfTheCallerSaysHowMany() {
        InlineDriver driver = PhysicsService.builder(logging()).inline(clock);
        clock.advance(1000 * TICK_NANOS);
        assertThat(driver.runDueTicks(10)).isEqualTo(10);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(990);
        assertThat(driver.skippedTicks()).isZero();
        clock.advance(1000 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(25);
        assertThat(driver.skippedTicks()).isEqualTo(974);
        assertThat(driver.runDueTicks()).as("due right now").isOne();
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isOne();
    }

    /** A quarter of a second is 15 of its ticks, some of which are 1 ns longer than others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 59})
    void shouldRunAsManyTicksWhereverItBegins(int before) {
        InlineDriver driver =
                PhysicsService.builder(logging()).rate(TickRate.hertz(60)).inline(clock);
        clock.advance(16_666_667L * before);
        assertThat(driver.runDueTicks(before)).isEqualTo(before);
        clock.advance(1_000_000_100); // in which 60 are due
        assertThat(driver.runDueTicks()).isEqualTo(15);
        assertThat(driver.skippedTicks()).isEqualTo(45);
        clock.advance(1_000_000_100);
        assertThat(driver.runDueTicks()).as("from another origin").isEqualTo(15);
    }

    /** The speed that was requested applies from the end of the first of them on. */
    @Test
    void shouldRunAQuarterSecondOfClockAtAnySpeed() {
        InlineDriver driver = PhysicsService.builder(logging()).inline(clock);
        driver.timeScale(TimeScale.of(0.1));
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isOne();
        clock.advance(100 * TICK_NANOS);
        assertThat(driver.runDueTicks()).as("of 100 ms each").isEqualTo(3);
        assertThat(driver.skippedTicks()).isEqualTo(6);
        driver.timeScale(TimeScale.ONE);
        clock.advance(100 * TICK_NANOS);
        assertThat(driver.runDueTicks()).as("of 10 ms each").isEqualTo(25);
        assertThat(driver.skippedTicks()).isEqualTo(6 + 75);
        assertThat(driver.runDueTicks()).as("due right now").isOne();
        driver.timeScale(TimeScale.of(0.1));
        clock.advance(100 * TICK_NANOS);
        assertThat(driver.runDueTicks())
                .as("of 100 ms each, after one of 10 ms")
                .isEqualTo(3);
        assertThat(driver.skippedTicks()).isEqualTo(6 + 75 + 7);
    }

    @Test
    void shouldGoBackAtOnceThoughNoTickIsDue() {
        StateHistory history = StateHistory.ofTicks(20);
        InlineDriver driver =
                PhysicsService.builder(new TracedMasses(3)).with(history).inline(clock);
        CompletableFuture<?> fork = history.fork(0, () -> new PushedMasses(3));
        CompletableFuture<?> command = driver.command(tick -> tick);
        assertThat(driver.runDueTicks()).isZero();
        assertThat(fork).as("before the first tick").isCompleted();
        assertThat(command).isCompleted();
        clock.advance(9 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(9);
        CompletableFuture<?> query = driver.query(tick -> tick);
        CompletableFuture<Rewound> rewound = history.rewind(5);
        CompletableFuture<?> forkThere = history.fork(5, () -> new PushedMasses(3));
        assertThat(driver.runDueTicks()).isZero();
        assertThat(query).isCompleted();
        assertThat(rewound).isCompletedWithValue(new Rewound(9, 5, 9));
        assertThat(forkThere).as("after going back").isCompleted();
    }

    @Test
    void shouldBuildOnceOnly() {
        PhysicsServiceBuilder builder = PhysicsService.builder(logging());
        builder.inline(clock);
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.inline(clock))
                .withMessageStartingWith("this builder has built before");
    }
}
