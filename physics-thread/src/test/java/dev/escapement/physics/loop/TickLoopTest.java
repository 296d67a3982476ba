package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.Internals;
import dev.escapement.physics.OnPublish;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.ScriptedSource;
import dev.escapement.physics.measure.RunStats;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Sphere;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.ShapeSource;
import dev.escapement.state.world.TickMetric;
import dev.escapement.state.world.WorldControl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests single ticks on a clock that only the simulation moves, and the metrics that tools read of them. */
@Timeout(60)
class TickLoopTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private long stepNanos = 3;
    private List<Long> hooked = List.of();
    private Consumer<Tick> onTick = tick -> {};
    private final ScriptedSimulation simulation = new ScriptedSimulation(tick -> {
        clock.advance(stepNanos);
        onTick.accept(tick);
    });
    private final PhysicsServiceBuilder builder = PhysicsService.builder(simulation)
            .lateTicks(LateTicks.catchUp(0))
            .name("arena")
            .commands(2, 1)
            .inputCapacity(2)
            .with(new OnPublish(times -> hooked =
                    List.of(times.dueNanos(), times.startedNanos(), times.steppedNanos(), times.publishedNanos())));
    private final TickLoop loop = Internals.loop(builder, clock, Runnable::run);

    @Test
    void shouldReportEachTickWhatItDidAndWhen() throws Exception {
        MetricRing<TickMetric>.Reader ticks = loop.stats.metrics().newReader();
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
        assertThat(hooked).containsExactly(10_000_000L, 10_000_007L, 10_000_010L, 10_000_010L);
        assertThat(events.drain(event -> {})).as("the body's spawn").isEqualTo(1);

        events.close();
        clock.advance(2 * TICK_NANOS - clock.nanoTime());
        stepNanos = 35_000_000;
        loop.runTick();
        assertThat(ticks.next()).isTrue();
        // Tick 2 is published at 55 ms, so the deadlines at 30, 40 and 50 ms are skipped.
        assertThat(row(ticks))
                .containsExactly(2, 20_000_000, 20_000_000, 55_000_000, 55_000_000, 55_000_000, 30_000_000, 0);
        assertThat(ticks.next()).isFalse();
    }

    /** The thread waits 2 ns and runs 5 ns before each tick, then waits 30 ns and runs 700 ns in it. */
    @Test
    void shouldReadTheProcessorTimeOfATick() throws Exception {
        CountedTimes times = new CountedTimes();
        loop.moveTo(times);
        loop.time.requestScale(TimeScale.of(2));
        loop.schedule.start(0, loop.time.requestedScale());
        onTick = tick -> times.add(30, 700);
        tickLate(RunStats.LATE_NANOS, times);
        assertThat(times.reads).as("no instrument watches").isZero();
        MetricRing<TickMetric>.Reader ticks = loop.stats.metrics().newReader();
        tickLate(RunStats.LATE_NANOS, times);
        assertThat(system(ticks)).as("nothing to compare with before").containsExactly(0, 0, 30, 700);
        tickLate(RunStats.LATE_NANOS, times);
        assertThat(system(ticks)).containsExactly(-1, -1, 32, 705);
        tickLate(RunStats.LATE_NANOS + 1, times);
        assertThat(system(ticks)).containsExactly(2, 5, 30, 700);
        assertThat(times.reads).as("3 ticks, and the start of two").isEqualTo(5);
    }

    private void tickLate(long lateNanos, CountedTimes times) throws Exception {
        clock.advance(loop.schedule.nextDueNanos() + lateNanos - clock.nanoTime());
        times.add(2, 5);
        loop.runTick();
    }

    private static long[] system(MetricRing<TickMetric>.Reader ticks) {
        assertThat(ticks.next()).isTrue();
        assertThat(ticks.get(TickMetric.PERIOD_NANOS)).as("at twice the speed").isEqualTo(TICK_NANOS / 2);
        return new long[] {
            ticks.get(TickMetric.WAITED_BEFORE_NANOS),
            ticks.get(TickMetric.RAN_BEFORE_NANOS),
            ticks.get(TickMetric.WAITED_NANOS),
            ticks.get(TickMetric.RAN_NANOS)
        };
    }

    private static final class CountedTimes implements ThreadTimes {

        private long waitedNanos = 100;
        private long ranNanos = 1000;
        private int reads;

        void add(long waited, long ran) {
            waitedNanos += waited;
            ranNanos += ran;
        }

        @Override
        public long waitedNanos() {
            reads++;
            return waitedNanos;
        }

        @Override
        public long ranNanos() {
            return ranNanos;
        }
    }

    /**
     * The second tick takes 35 ms. Before the first tick, four events and four commands are offered; the ring and the queue have room for
     * two each.
     */
    @Test
    void shouldRecordTicksForTheFlightRecorder(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("ticks.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.escapement.Tick").withThreshold(Duration.ZERO);
            recording.start();
            loop.schedule.start(0, TimeScale.ONE);
            for (int i = 0; i < 4; i++) {
                loop.input.offer(0, InputKind.APPLICATION, i, 0, 0);
                loop.requests.commands.offer(tick -> tick).isDone();
            }
            for (long millis : new long[] {2, 35, 3}) {
                stepNanos = millis * 1_000_000;
                clock.advance(loop.schedule.nextDueNanos() - clock.nanoTime() + (millis == 2 ? 1_000_000 : 0));
                loop.runTick();
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> ticks = RecordingFile.readAllEvents(file);
        assertThat(ticks).extracting(tick -> tick.getString("service")).containsOnly("arena");
        assertThat(ticks).extracting(tick -> tick.getLong("tick")).containsExactly(1L, 2L, 3L);
        assertThat(millis(ticks, "lateness")).containsExactly(1L, 0L, 0L);
        assertThat(millis(ticks, "step")).containsExactly(2L, 35L, 3L);
        assertThat(millis(ticks, "capture")).containsExactly(0L, 0L, 0L);
        assertThat(millis(ticks, "publishDelay")).containsExactly(3L, 35L, 3L);
        assertThat(millis(ticks, "overrun")).containsExactly(0L, 25L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("skippedDeadlines")).containsExactly(0L, 3L, 0L);
        assertThat(millis(ticks, "skippedTime")).containsExactly(0L, 30L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("refusedInputEvents")).containsExactly(2L, 0L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("refusedCommands")).containsExactly(2L, 0L, 0L);
        assertThat(ticks).hasSize(3).allMatch(tick -> tick.getDuration().toNanos() > 0);
        assertThat(ticks).extracting(RecordedEvent::getStartTime).hasSize(3).doesNotHaveDuplicates();
    }

    private static List<Long> millis(List<RecordedEvent> ticks, String field) {
        return ticks.stream().map(tick -> tick.getDuration(field).toMillis()).toList();
    }

    /**
     * Work that a tick does after its publish counts for the next tick. If that work threw, nobody measured its end, and it does not count.
     */
    @Test
    void shouldMeasureWorkFromThePublishBefore() {
        RunningTick tick = loop.tick;
        tick.startedNanos = TICK_NANOS;
        assertThat(tick.publishedAt(TICK_NANOS + 3)).isEqualTo(3);
        tick.endedNanos = TICK_NANOS + 8;
        tick.startedNanos = 2 * TICK_NANOS;
        assertThat(tick.publishedAt(2 * TICK_NANOS + 2)).isEqualTo(2 + 5);
        tick.startedNanos = 3 * TICK_NANOS;
        assertThat(tick.publishedAt(3 * TICK_NANOS + 2)).isEqualTo(2);
    }

    /** A tick receives the share that the tick before used of its period, at the requested speed. */
    @ParameterizedTest
    @CsvSource({"1, 2500000, 0.25", "4, 2000000, 0.8"})
    void shouldReportTheShareOfTheBudgetThatWasUsed(int speed, long nanos, double share) throws Exception {
        loop.schedule.start(0, new TimeScale(speed, 1));
        stepNanos = nanos;
        List<Double> used = new ArrayList<>();
        onTick = tick -> used.add(tick.budgetUsed());
        for (int i = 0; i < 2; i++) {
            clock.advance(loop.schedule.nextDueNanos() - clock.nanoTime());
            loop.runTick();
        }
        assertThat(used.get(0)).isZero();
        assertThat(used.get(1)).isCloseTo(share, within(1e-9));
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
        ending.close(
                thrown -> {
                    closed.add(thrown.getMessage());
                    throw new InternalError("no room for it"); // an OutOfMemoryError would end JUnit
                },
                true);
        assertThat(closed).containsExactly("first", "failed: first", "second", "failed: second", "simulation");
    }

    private static InputSource device(String name, List<String> closed) {
        return new ScriptedSource(ring -> {}, () -> {
            closed.add(name);
            throw new OutOfMemoryError("failed: " + name);
        });
    }

    @Test
    void shouldAskForShapesBetweenTwoTicks() {
        BodyShape ball = new BodyShape(new Sphere(2), true);
        try (InlineDriver driver = shaped(body -> body == 7 ? ball : null)) {
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

    /** The last shape is computed by a thread that nobody waits for. */
    @Test
    void shouldAskForShapesUntilTheSourceHasAddedAll() {
        AtomicReference<Thread> computing = new AtomicReference<>();
        ShapeSource oneAQuery = new ShapeSource() {
            @Override
            public BodyShape shape(long body) {
                return body == 7
                        ? new BodyShape(new Sphere(2), true)
                        : new BodyShape(new TriangleMesh(this::mesh), true);
            }

            private float[] mesh() {
                computing.set(Thread.currentThread());
                return new float[9];
            }

            @Override
            public void shapes(List<Long> bodies, List<@Nullable BodyShape> shapes) {
                shapes.add(shape(bodies.get(shapes.size())));
            }
        };
        try (InlineDriver driver = shaped(oneAQuery)) {
            var answer = driver.shapes(List.of(7L, 8L));
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(answer).isNotDone();
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(answer.join()).hasSize(2);
            assertThat(computing.get()).isNotNull().isNotSameAs(Thread.currentThread());
        }
    }

    private InlineDriver shaped(ShapeSource shapes) {
        return PhysicsService.builder(new ScriptedSimulation(tick -> {}) {
                    @Override
                    public <T> Optional<T> capability(Class<T> type) {
                        return type == ShapeSource.class ? Optional.of(type.cast(shapes)) : super.capability(type);
                    }
                })
                .inline(clock);
    }

    private static long[] row(MetricRing<TickMetric>.Reader ticks) {
        return Arrays.stream(TickMetric.values())
                .filter(column -> column.compareTo(TickMetric.PERIOD_NANOS) < 0)
                .mapToLong(ticks::get)
                .toArray();
    }
}
