package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs have exactly the recorded ticks. */
class TickRoundTripTest {

    private static final RunDescription RUN =
            new RunDescription("Motor", "1.2", "Szene \u00e4\u20ac", -4, new TickRate(60_000, 1001));

    @TempDir
    Path folder;

    @Test
    void shouldReadWhatWasRecorded() throws Exception {
        Path file = folder.resolve("run.esclog");
        RandomTicks ticks = new RandomTicks(2).withCommands().withRewinds();
        Recording recording = Recording.create(file, RUN);
        ticks.record(recording, 500);
        recording.close();
        assertThat(recording.failure()).isEmpty();
        InputLog log = InputLog.open(file);
        assertThat(log.run()).isEqualTo(RUN);
        assertThat(log.ticks()).isEqualTo(500);
        assertThat(log.isComplete()).isTrue();
        assertThat(RandomTicks.report(log)).isEqualTo(ticks.reported);
        assertThat(RandomTicks.report(log)).as("another pass").isEqualTo(ticks.reported);
    }

    /** An interrupt of the thread that ticks does not end a replay, and stays pending for the simulation. */
    @Test
    void shouldReadThoughAnInterruptIsPending() throws Exception {
        Path file = folder.resolve("run.esclog");
        RandomTicks ticks = new RandomTicks(1).withCommands();
        try (Recording recording = Recording.create(file, RUN)) {
            ticks.record(recording, 400);
        }
        assertThat(Files.size(file)).as("more than is read ahead").isGreaterThan(1 << 16);
        Thread.currentThread().interrupt();
        try {
            assertThat(RandomTicks.report(InputLog.open(file))).isEqualTo(ticks.reported);
        } finally {
            assertThat(Thread.interrupted()).as("still pending").isTrue();
        }
    }

    @Test
    void shouldReadTicksLargerThanItsBuffer() throws Exception {
        Path file = folder.resolve("large.esclog");
        CommandName type = new CommandName("paint", 1);
        byte[] large = new byte[200_000];
        large[large.length - 1] = 7;
        RecordedInput input = new RecordedInput();
        input.begin(1);
        try (Recording recording = Recording.create(file, RUN)) {
            recording.begin(List.of(type), "");
            for (int tick = 1; tick <= 3; tick++) {
                List<CommandData> commands = List.of(new CommandData(type, large));
                recording.tick(Tick.of(RUN.rate(), tick, 0, 0, input.frame(), false), commands, false, tick);
            }
        }
        try (LogReader reader = InputLog.open(file).reader()) {
            for (int tick = 1; tick <= 3; tick++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.tick().commands.get(0).bytes()).isEqualTo(large);
            }
            assertThat(reader.next()).isFalse();
        }
    }
}
