package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three ticks on a manual clock; the second takes 35 ms. */
class FlightEventsTest {

    private static final long MILLI = 1_000_000;

    private Duration threshold = Duration.ZERO;
    private boolean allLate;

    /** How long a step really takes at least. */
    private LongUnaryOperator passingNanos = tick -> 0;

    private final ManualClock clock = new ManualClock(0);
    private final SlowSecond simulation = new SlowSecond();
    private final TickLoop loop = Internals.loop(
            PhysicsService.builder(simulation)
                    .name("arena")
                    .commands(2, 1)
                    .inputCapacity(1)
                    .lateTicks(LateTicks.catchUp(0)),
            clock,
            Runnable::run);

    @Test
    void shouldRecordTicksAndWhatWasLost(@TempDir Path folder) throws Exception {
        List<RecordedEvent> events = record(folder);

        List<RecordedEvent> ticks = ticks(events);
        assertThat(ticks).extracting(tick -> tick.getLong("tick")).containsExactly(1L, 2L, 3L);
        assertThat(ticks)
                .extracting(tick -> tick.getDuration("lateness").toMillis())
                .containsExactly(1L, 0L, 0L);
        assertThat(ticks)
                .extracting(tick -> tick.getDuration("step").toMillis())
                .containsExactly(2L, 35L, 2L);
        assertThat(ticks)
                .extracting(tick -> tick.getDuration("capture").toMillis())
                .containsExactly(1L, 1L, 1L);
        assertThat(ticks)
                .extracting(tick -> tick.getDuration("publishDelay").toMillis())
                .containsExactly(4L, 36L, 3L);

        assertThat(ticks)
                .extracting(tick -> tick.getDuration("overrun").toMillis())
                .containsExactly(0L, 26L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("skippedDeadlines")).containsExactly(0L, 3L, 0L);
        assertThat(ticks)
                .extracting(tick -> tick.getDuration("skippedTime").toMillis())
                .containsExactly(0L, 30L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("refusedInputEvents")).containsExactly(2L, 0L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("refusedCommands")).containsExactly(1L, 0L, 0L);
        assertThat(ticks)
                .allSatisfy(tick -> assertThat(tick.getString("service")).isEqualTo("arena"));
    }

    @Test
    void shouldKeepStatisticsThatAgree() throws Exception {
        loop.schedule.start(0, TimeScale.ONE);
        runTicks(loop);
        PhysicsStats stats = loop.meters.stats;
        assertThat(stats.latenessNanos().count()).isEqualTo(3);
        assertThat(stats.latenessNanos().percentile(100)).isBetween(MILLI * 99 / 100, MILLI * 101 / 100);
        assertThat(stats.stepNanos().percentile(100)).isBetween(35 * MILLI * 99 / 100, 35 * MILLI * 101 / 100);
        assertThat(stats.publishDelayNanos().percentile(0)).isBetween(3 * MILLI * 99 / 100, 3 * MILLI * 101 / 100);
        assertThat(loop.schedule.account.realTimeFactor()).as("3 of 6 periods").isEqualTo(0.5);
        assertThat(stats.stepNanos().count()).as("reading takes nothing away").isEqualTo(3);
    }

    /** The Flight Recorder's own times, by its own clock: each event has its own, though the objects are reused. */
    @Test
    void shouldGiveEveryTickATimeOfItsOwn(@TempDir Path folder) throws Exception {
        passingNanos = tick -> tick == 1 ? 5 * MILLI : MILLI;
        allLate = true;
        List<RecordedEvent> events = record(folder);
        List<RecordedEvent> ticks = ticks(events);
        assertThat(ticks).hasSize(3);
        assertThat(ticks.get(0).getDuration()).isGreaterThan(Duration.ofMillis(4));
        for (int i = 1; i < 3; i++) {
            Duration apart = Duration.between(
                    ticks.get(i - 1).getStartTime(), ticks.get(i).getStartTime());
            assertThat(apart)
                    .as("no tick begins before the last one has ended")
                    .isPositive()
                    .isGreaterThan(ticks.get(i - 1).getDuration().minusMillis(1));
        }
    }

    /** A threshold, which the recorder's settings allow for every event, leaves out the short ones only. */
    @Test
    void shouldRecordTicksThatAreLongerThanTheThreshold(@TempDir Path folder) throws Exception {
        passingNanos = tick -> 2 * MILLI;
        threshold = Duration.ofMillis(1);
        assertThat(ticks(record(folder))).hasSize(3);
    }

    private List<RecordedEvent> record(Path folder) throws Exception {
        Path file = folder.resolve("ticks.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.escapement.Tick").withThreshold(threshold);
            recording.start();
            loop.schedule.start(0, TimeScale.ONE);
            for (int i = 0; i < 3; i++) {
                loop.input.offer(0, InputKind.APPLICATION, i, 0, 0); // room for one
                loop.requests.commands.offer(tick -> tick).isDone(); // room for two
            }
            runTicks(loop);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file);
    }

    private void runTicks(TickLoop ticking) throws Exception {
        for (int i = 0; i < 3; i++) {
            clock.advance(ticking.schedule.nextDueNanos() - clock.nanoTime() + (i == 0 ? MILLI : 0));
            ticking.runTick();
        }
    }

    private static List<RecordedEvent> ticks(List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("dev.escapement.Tick"))
                .toList();
    }

    private final class SlowSecond implements Simulation {

        @Override
        public void step(Tick tick) {
            clock.advance((tick.number() == 2 || allLate ? 35 : 2) * MILLI);
            long end = System.nanoTime() + passingNanos.applyAsLong(tick.number());
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait(); // time of the recorder's clock, too
            }
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(0);
            clock.advance(MILLI);
        }
    }
}
