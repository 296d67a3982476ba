package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.Scrubber;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.Logged;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that are data are recorded, and a replay runs them again. */
@Timeout(60)
class DataCommandsTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "12", 4, TickRate.hertz(100));
    private static final long TICK_NANOS = 10_000_000;
    private static final int BODIES = 12;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock(0);
    private int logs;

    private static InlineDriver driver(PhysicsServiceBuilder builder, ManualClock clock) {
        return builder.rate(RUN.rate()).inline(clock);
    }

    private InputLog record(Simulation simulation, Consumer<InlineDriver> play) throws IOException {
        Path file = folder.resolve("run" + logs++);
        try (Recording recording = Recording.create(file, RUN);
                InlineDriver driver = driver(PhysicsService.builder(simulation).with(recording), clock)) {
            play.accept(driver);
        }
        return InputLog.open(file);
    }

    private void tick(InlineDriver driver) {
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
    }

    /** Too many commands are refused, so that the run can still be repeated, and memory is bounded. */
    @Test
    void shouldNotRunWhatARecordingHasNoRoomFor() throws Exception {
        CommandType<byte[], Integer> large =
                CommandType.of("large", 1, (bytes, to) -> to.write(bytes), from -> ((InputStream) from).readAllBytes());
        int[] ran = {0};
        PushedMasses simulation = new PushedMasses(BODIES);
        simulation.commands().on(large, (tick, bytes) -> ran[0]++);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        record(simulation, driver -> {
            driver.pause();
            tick(driver);
            for (int i = 0; i < 300; i++) {
                answers.add(driver.command(large, new byte[CommandType.MAX_BYTES]));
            }
            driver.runDueTicks();
            assertThat(ran[0]).isEqualTo(256); // 16 MiB
            driver.resume();
            tick(driver);
            tick(driver);
            answers.add(driver.command(large, new byte[CommandType.MAX_BYTES]));
            tick(driver);
        });
        assertThat(ran[0]).isEqualTo(257);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(answers.get(256)::get)
                .withMessageContaining(
                        "256 commands with 16777216 bytes ran since the last tick, and a recording has room for no"
                                + " more");
    }

    @Test
    void shouldTakeNoOthersInAReplay() throws Exception {
        InputLog log = record(new PushedMasses(BODIES), this::tick);
        try (InlineDriver replay =
                driver(PhysicsService.builder(new PushedMasses(BODIES)).replay(log), clock)) {
            var refused = replay.command(Push.TYPE, new Push(5, 1));
            tick(replay);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(refused::get)
                    .withMessageContaining(
                            "a replay runs the commands that were recorded, and takes no others that are data, as"
                                    + " this one of type 'push' version 1");
            assertThat(replay.divergence()).isEmpty();
        }
    }

    @Test
    void shouldRefuseALogWhoseCommandsNothingHandles() throws Exception {
        InputLog used = record(new PushedMasses(BODIES), driver -> {
            assertThat(driver.command(Push.TYPE, new Push(5, 1))).isNotDone();
            tick(driver);
        });
        InputLog unused = record(new PushedMasses(BODIES), this::tick);
        Simulation deaf = new PushedMasses(BODIES) {
            @Override
            public CommandHandlers commands() {
                return CommandHandlers.none();
            }
        };
        String message = "the simulation has no handler for commands of type 'push' version 1";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> driver(PhysicsService.builder(deaf).replay(used), clock))
                .withMessageStartingWith(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scrubber(used, () -> deaf, PoseLayout.PLAIN))
                .withMessageStartingWith(message);
        try (Scrubber scrubber = new Scrubber(unused, () -> deaf, PoseLayout.PLAIN)) {
            assertThat(scrubber.goTo(1).tick()).isEqualTo(1);
        }
    }

    /** Logged once, by the thread that writes, and not in a replay. */
    @Test
    void shouldWarnOfOthersWhenTheyAreRecorded() throws Exception {
        try (Logged logged = new Logged("physics")) {
            record(new PushedMasses(BODIES), driver -> {
                tick(driver);
                assertThat(driver.command(tick -> tick)).isNotDone();
                tick(driver);
                assertThat(driver.command(tick -> tick)).isNotDone();
                tick(driver);
            });
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .singleElement()
                    .asString()
                    .startsWith(
                            "Before tick 2 a command ran that is not data, so that this recording cannot repeat it");
        }
    }
}
