package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.Internals;
import dev.escapement.physics.OnPublish;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.ScriptedSource;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One tick at a time, on a clock that only the simulation moves. */
class TickLoopTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> reported = new ArrayList<>();
    private final CostlySimulation simulation = new CostlySimulation();
    private final TickLoop loop = Internals.loop(
            PhysicsService.builder(simulation)
                    .lateTicks(LateTicks.catchUp(0))
                    .with(new OnPublish(times -> reported.add(times.tick() + " " + times.dueNanos() + " "
                            + times.startedNanos() + " " + times.steppedNanos() + " " + times.publishedNanos()))),
            clock,
            Runnable::run);
    private final SnapshotReader reader = loop.exchange.attach();

    @Test
    void shouldTellHooksWhenWhatHappened() throws Exception {
        loop.schedule.start(0, TimeScale.ONE);
        simulation.stepNanos = 3;
        clock.advance(TICK_NANOS + 7);
        loop.runTick();
        assertThat(reported).containsExactly("1 10000000 10000007 10000010 10000010");
    }

    @Test
    void shouldPublishTheTimelineWithTheTimeThatItsOwnTickCost() throws Exception {
        loop.schedule.start(0, TimeScale.ONE);
        clock.advance(TICK_NANOS);
        simulation.stepNanos = 1;
        for (int i = 0; i < 4; i++) {
            simulation.stepNanos = i == 3 ? 35_000_000 : 1;
            runAtDue();
        }
        reader.acquire();
        assertThat(reader.window().newestTick()).isEqualTo(4);
        // Tick 4 was due at 40 ms and published at 75 ms: the deadlines at 50, 60 and 70 ms are skipped.
        assertThat(reader.window().timeline().simNanosAt(70_000_000)).isEqualTo(40_000_000);
        assertThat(reader.window().timeline().simNanosAt(75_000_000)).isEqualTo(45_000_000);
        assertThat(loop.schedule.account.skippedTicks()).isEqualTo(3);
    }

    @Test
    void shouldReportTheSimulationHowMuchOfItsTimeItUsed() throws Exception {
        loop.schedule.start(0, TimeScale.ONE);
        simulation.stepNanos = 2_500_000;
        runAtDue();
        assertThat(simulation.budgetUsed).isZero();
        runAtDue();
        assertThat(simulation.budgetUsed).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void shouldMeasureTheBudgetByTheSpeedOfTime() throws Exception {
        loop.schedule.start(0, new TimeScale(4, 1));
        simulation.stepNanos = 2_000_000;
        runAtDue();
        runAtDue();
        assertThat(simulation.budgetUsed).isCloseTo(0.8, within(1e-9));
    }

    @Test
    void shouldKeepTheNumberOfBodiesUntilReportedOtherwise() throws Exception {
        loop.schedule.start(0, TimeScale.ONE);
        for (int i = 0; i < 12; i++) {
            simulation.saysHowMany = i == 0;
            runAtDue();
            if (reader.acquire()) {
                assertThat(reader.window().newest().poses().slotCount()).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldCloseTheOthersAlsoIfMemoryRunsOut() {
        List<String> closed = new ArrayList<>();
        TickLoop ending = Internals.loop(
                PhysicsService.builder(new ScriptedSimulation(tick -> {}, () -> closed.add("simulation")))
                        .source(device("first", closed))
                        .source(device("second", closed)),
                clock,
                Runnable::run);
        ending.close(thrown -> {
            closed.add(thrown.getMessage());
            throw new InternalError("no room for it"); // JUnit would end with an OutOfMemoryError
        });
        assertThat(closed).containsExactly("first", "failed: first", "second", "failed: second", "simulation");
    }

    private static InputSource device(String name, List<String> closed) {
        return new ScriptedSource(ring -> {}, () -> {
            closed.add(name);
            throw new OutOfMemoryError("failed: " + name);
        });
    }

    private void runAtDue() throws Exception {
        clock.advance(Math.max(0, loop.schedule.nextDueNanos() - clock.nanoTime()));
        loop.runTick();
    }

    private final class CostlySimulation implements Simulation {

        private long stepNanos;
        private double budgetUsed = -1;
        private boolean saysHowMany = true;
        private long tick;

        @Override
        public void step(Tick next) {
            tick = next.number();
            budgetUsed = next.budgetUsed();
            clock.advance(stepNanos);
        }

        @Override
        public void capture(PoseWriter poses) {
            if (saysHowMany) {
                poses.bodyCount(1);
            }
            poses.set(0, (float) tick, 0, 0, 0, 0, 0, 1);
        }
    }
}
