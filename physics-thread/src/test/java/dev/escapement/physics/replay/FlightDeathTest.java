package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.TickFault.Reason;
import dev.escapement.physics.replay.FailingMasses.Game;
import dev.escapement.physics.replay.FailingMasses.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that dies leaves its last ticks, and another process that repeats them dies in the same way. */
@Timeout(120)
class FlightDeathTest {

    private static final long LAST_TICK = 1234;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"HALT", "SEGFAULT", "HALT_IN_COMMAND"})
    void shouldRepeatADeathFromTheFileThatTheNextStartPutsAside(Way way) throws Exception {
        assertDies(way, child(folder.toString(), way.name(), Long.toString(LAST_TICK)));
        Path file = fileOfNextStart();
        InputLog log = InputLog.open(file);
        assertThat(log.lastTick()).isEqualTo(LAST_TICK);
        assertThat(log.report().orElseThrow().reason()).isEqualTo(Reason.DIED);
        assertThat(log.report().orElseThrow().tick()).isEqualTo(LAST_TICK);
        assertDies(way, child(file.toString(), way.name()));
    }

    private static void assertDies(Way way, Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (way == Way.SEGFAULT) {
            assertThat(said).contains("SIGSEGV");
        } else {
            assertThat(process.waitFor()).as(said).isEqualTo(FailingMasses.HALT_CODE);
        }
    }

    @Test
    void shouldRunThroughWhatWasKilledFromOutside() throws Exception {
        Process dying = child(folder.toString(), Way.NOT_AT_ALL.name(), Long.toString(LAST_TICK));
        assertThat(dying.inputReader().readLine()).isEqualTo("alive");
        dying.destroyForcibly().waitFor(); // SIGKILL
        Path file = fileOfNextStart();
        assertThat(InputLog.open(file).lastTick()).isEqualTo(LAST_TICK);
        Process repeating = child(file.toString(), Way.NOT_AT_ALL.name());
        assertThat(new String(repeating.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("ran through: the failure did not repeat");
        assertThat(repeating.waitFor()).isZero();
    }

    private Path fileOfNextStart() throws IOException {
        FailingMasses next = new FailingMasses(Way.NOT_AT_ALL);
        new Game(
                        next,
                        next.listener(),
                        FlightRecorder.in(folder, FailingMasses.RUN).maxBytes(1 << 20),
                        0)
                .close();
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> kept =
                    files.filter(file -> file.toString().endsWith(".esclog")).toList();
            assertThat(kept).hasSize(1);
            return kept.get(0);
        }
    }

    private Process child(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
                System.getProperty("java.class.path"),
                FailingMasses.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(
                        Files.createDirectories(folder.resolve("work")).toFile()) // where a JVM writes why it crashed
                .redirectErrorStream(true)
                .start();
    }
}
