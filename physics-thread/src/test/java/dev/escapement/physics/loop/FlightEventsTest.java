package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the flight recorder's events of three ticks on a manual clock. The second tick takes 35 ms. */
class FlightEventsTest {

    private static final long MILLI = 1_000_000;

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
        Path file = folder.resolve("ticks.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.escapement.Tick").withThreshold(Duration.ZERO);
            recording.start();
            loop.schedule.start(0, TimeScale.ONE);
            for (int i = 0; i < 3; i++) {
                loop.input.offer(0, InputKind.APPLICATION, i, 0, 0); // the ring has room for one
                loop.requests.commands.offer(tick -> tick).isDone(); // the queue has room for two
            }
            for (int i = 0; i < 3; i++) {
                clock.advance(loop.schedule.nextDueNanos() - clock.nanoTime() + (i == 0 ? MILLI : 0));
                loop.runTick();
            }
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> ticks = RecordingFile.readAllEvents(file);
        assertThat(ticks).extracting(tick -> tick.getString("service")).containsOnly("arena");
        assertThat(ticks).extracting(tick -> tick.getLong("tick")).containsExactly(1L, 2L, 3L);
        assertThat(millis(ticks, "lateness")).containsExactly(1L, 0L, 0L);
        assertThat(millis(ticks, "step")).containsExactly(2L, 35L, 2L);
        assertThat(millis(ticks, "capture")).containsExactly(1L, 1L, 1L);
        assertThat(millis(ticks, "publishDelay")).containsExactly(4L, 36L, 3L);
        assertThat(millis(ticks, "overrun")).containsExactly(0L, 26L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("skippedDeadlines")).containsExactly(0L, 3L, 0L);
        assertThat(millis(ticks, "skippedTime")).containsExactly(0L, 30L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("refusedInputEvents")).containsExactly(2L, 0L, 0L);
        assertThat(ticks).extracting(tick -> tick.getLong("refusedCommands")).containsExactly(1L, 0L, 0L);
        assertThat(ticks).allMatch(tick -> tick.getDuration().toNanos() > 0);
        assertThat(ticks)
                .as("each has its own time, though the object is reused")
                .extracting(RecordedEvent::getStartTime)
                .doesNotHaveDuplicates();
    }

    private static List<Long> millis(List<RecordedEvent> ticks, String field) {
        return ticks.stream().map(tick -> tick.getDuration(field).toMillis()).toList();
    }

    private final class SlowSecond implements Simulation {

        @Override
        public void step(Tick tick) {
            clock.advance((tick.number() == 2 ? 35 : 2) * MILLI);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(0);
            clock.advance(MILLI);
        }
    }
}
