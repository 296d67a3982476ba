package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Sphere;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.ShapeSource;
import dev.escapement.state.world.TickMetric;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The metrics of each tick for instruments, and what else tools read of a running world. */
@Timeout(60)
class TickFeedTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private long stepNanos = 3;
    private Runnable scripted = () -> {};
    private final ScriptedSimulation simulation = new ScriptedSimulation(tick -> {
        clock.advance(stepNanos);
        scripted.run();
    });
    private final TickLoop loop = loop(simulation);

    @Test
    void shouldReportEachTickWhatItDidAndWhen() throws Exception {
        MetricRing<TickMetric>.Reader ticks = loop.meters.metrics().newReader();
        EventStream events = loop.events.subscribe(8);
        loop.schedule.start(0, TimeScale.ONE);
        loop.input.offer(4_000_000, InputKind.KEY_DOWN, 5, 0, 0);
        loop.input.offer(6_000_000, InputKind.KEY_UP, 5, 0, 0);
        assertThat(loop.requests.command(tick -> tick)).isNotDone();
        assertThat(loop.requests.query(tick -> tick)).isNotDone();
        clock.advance(TICK_NANOS + 7);
        loop.runTick();

        assertThat(ticks.next()).isTrue();
        assertThat(row(ticks)).containsExactly(1, 10_000_000, 10_000_007, 10_000_010, 10_000_010, 10_000_010, 0, 2);
        assertThat(events.drain(event -> {})).as("the body's spawn").isEqualTo(1);

        events.close();
        clock.advance(2 * TICK_NANOS - clock.nanoTime());
        stepNanos = 35_000_000;
        loop.runTick();
        assertThat(ticks.next()).isTrue();
        // Published at 55 ms: the deadlines at 30, 40 and 50 ms are skipped.
        assertThat(row(ticks))
                .containsExactly(2, 20_000_000, 20_000_000, 55_000_000, 55_000_000, 55_000_000, 30_000_000, 0);
        assertThat(ticks.next()).isFalse();
    }

    /** The thread waits 2 and runs 5 before a tick, then waits 30 and runs 700 in it; all else is in between. */
    @Test
    void shouldReadWhatTheSystemCountsOnceATickAndAtTheStartOnlyOfALateOne() throws Exception {
        long[] counted = {100, 1000};
        int[] reads = {0};
        loop.threadTimes = new ThreadTimes() {
            @Override
            public long waitedNanos() {
                reads[0]++;
                return counted[0];
            }

            @Override
            public long ranNanos() {
                return counted[1];
            }
        };
        loop.time.scale(TimeScale.of(2));
        loop.schedule.start(0, loop.time.scale());
        MetricRing<TickMetric>.@Nullable Reader ticks = null;
        for (int tick = 1; tick <= 5; tick++) {
            long lateNanos = tick == 4 ? TickMeters.LATE_NANOS + 1 : TickMeters.LATE_NANOS;
            clock.advance(loop.schedule.nextDueNanos() + lateNanos - clock.nanoTime());
            counted[0] += 2;
            counted[1] += 5;
            if (tick == 2) {
                assertThat(reads[0]).as("no instrument watches").isZero();
                ticks = loop.meters.metrics().newReader();
            }
            scripted = () -> {
                counted[0] += 30;
                counted[1] += 700;
            };
            loop.runTick();
        }
        assertThat(reads[0]).as("4 ticks, and the start of two").isEqualTo(6);
        List<List<Long>> rows = new ArrayList<>();
        while (ticks != null && ticks.next()) {
            rows.add(List.of(
                    ticks.get(TickMetric.PERIOD_NANOS),
                    ticks.get(TickMetric.WAITED_BEFORE_NANOS),
                    ticks.get(TickMetric.RAN_BEFORE_NANOS),
                    ticks.get(TickMetric.WAITED_NANOS),
                    ticks.get(TickMetric.RAN_NANOS)));
        }
        assertThat(rows)
                .containsExactly(
                        List.of(TICK_NANOS / 2, 0L, 0L, 30L, 700L), // nothing to compare with before
                        List.of(TICK_NANOS / 2, -1L, -1L, 32L, 705L),
                        List.of(TICK_NANOS / 2, 2L, 5L, 30L, 700L),
                        List.of(TICK_NANOS / 2, -1L, -1L, 32L, 705L));
    }

    @Test
    void shouldReportNothingOfATickThatThrew() throws Exception {
        TickLoop failing = loop(ScriptedSimulation.failingFrom(2, new IllegalStateException("bodies overlap")));
        MetricRing<TickMetric>.Reader reported = failing.meters.metrics().newReader();
        failing.schedule.start(0, TimeScale.ONE);
        clock.advance(TICK_NANOS);
        failing.runTick();
        assertThatIllegalStateException().isThrownBy(failing::runTick).withMessage("bodies overlap");
        assertThat(reported.next()).isTrue();
        assertThat(reported.get(TickMetric.TICK)).isEqualTo(1);
        assertThat(reported.next()).isFalse();
    }

    @Test
    void shouldAskForShapesBetweenTwoTicks() {
        BodyShape ball = new BodyShape(new Sphere(2), true);
        try (InlineDriver driver = PhysicsService.builder(new Balls(ball)).inline(clock)) {
            WorldControl world = driver;
            var answer = world.shapes(List.of(7L, 8L));
            assertThat(answer).isNotDone();
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(answer).isCompletedWithValue(Arrays.asList(ball, null));
            assertThat(world.hasEnded()).isFalse();
        }
        try (InlineDriver driver =
                PhysicsService.builder(ScriptedSimulation.good()).inline(clock)) {
            var answer = driver.shapes(List.of(7L));
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(answer).isCompletedWithValue(List.of());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> driver.joints(-1))
                    .withMessage("max is -1; pass how many joints to return at most, 0 or more");
        }
    }

    private static long[] row(MetricRing<TickMetric>.Reader ticks) {
        return Arrays.stream(TickMetric.values())
                .filter(column -> column.compareTo(TickMetric.PERIOD_NANOS) < 0)
                .mapToLong(ticks::get)
                .toArray();
    }

    private TickLoop loop(Simulation ticked) {
        PhysicsServiceBuilder builder = PhysicsService.builder(ticked).lateTicks(LateTicks.catchUp(0));
        return Internals.loop(builder, clock, Runnable::run);
    }

    /** Knows the shape of one body. */
    private static final class Balls extends ScriptedSimulation implements ShapeSource {

        private final BodyShape ball;

        Balls(BodyShape ball) {
            super(tick -> {});
            this.ball = ball;
        }

        @Override
        public @Nullable BodyShape shape(long body) {
            return body == 7 ? ball : null;
        }
    }
}
