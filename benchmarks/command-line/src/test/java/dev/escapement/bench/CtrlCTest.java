package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.physics.replay.InputLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The signal of Ctrl-C, to processes of their own. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class CtrlCTest {

    @TempDir
    private Path folder;

    @Test
    void shouldKeepTheResultsOfARun() throws Exception {
        Path log = folder.resolve("run.esclog");
        Process run = start(
                Escapement.class,
                List.of("run", "--engine=spring", "--bodies=20", "--seconds=60", "--out=" + folder, "--record=" + log));
        try (BufferedReader out = run.inputReader()) {
            awaitLine(out, ".* [1-9]\\d*/6000 ticks .*"); // of the progress, every two seconds
            interrupt(run);
            String rest = out.lines().collect(Collectors.joining("\n"));
            assertThat(run.waitFor()).as(rest).isZero();
            assertThat(rest).contains("Library: every promise held", "animation error", "Report: ");
        }
        assertThat(folder.resolve("run.json")).isNotEmptyFile();
        assertThat(folder.resolve("report.html")).isNotEmptyFile();
        assertThat(InputLog.open(log).isComplete()).isTrue();
        assertThat(InputLog.open(log).ticks()).as("it did not run to its end").isLessThan(5000);
    }

    @Test
    void shouldEndAtOnceTheSecondTime() throws Exception {
        Process hanging = start(Hanging.class, List.of());
        try (BufferedReader out = hanging.inputReader()) {
            awaitLine(out, "ready");
            interrupt(hanging);
            awaitLine(out, "Ending, .*");
            interrupt(hanging);
            assertThat(hanging.waitFor()).isEqualTo(130);
        }
    }

    /** Takes the request, and never looks at it. */
    static final class Hanging {

        public static void main(String[] arguments) throws InterruptedException {
            EndRequest.accept();
            System.out.println("ready");
            new CountDownLatch(1).await(1, TimeUnit.MINUTES);
        }
    }

    /** Does not inherit that the signal is ignored, as in the background. */
    private static Process start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(ChildProcess.java(List.of(), main, arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void interrupt(Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static void awaitLine(BufferedReader lines, String pattern) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.matches(pattern)) {
            line = lines.readLine();
        }
        assertThat(line).as("a line %s", pattern).isNotNull();
    }
}
