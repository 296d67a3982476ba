package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.process.ChildProcess;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
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

/** Sends the signals of Ctrl-C and of {@code timeout} to separate processes, because only a real process shows its exit code. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class CtrlCTest {

    @TempDir
    private Path folder;

    @Test
    void shouldKeepTheResultsOfARun() throws Exception {
        Path log = folder.resolve("run.esclog");
        String line = "run --engine=spring --bodies=20 --seconds=60 --out=%s --record=%s".formatted(folder, log);
        Process run = start(Escapement.class, line.split(" "));
        try (BufferedReader out = run.inputReader()) {
            awaitLine(out, ".* ([3-9]\\d\\d|\\d{4})/6000 ticks .*"); // a progress line after the warm-up
            send("INT", run.pid());
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
    void shouldEndAtOnceByCtrlCTheSecondTime() throws Exception {
        Process hanging = start(Hanging.class);
        try (BufferedReader out = hanging.inputReader()) {
            awaitLine(out, "ready");
            send("TERM", hanging.pid());
            awaitLine(out, "Ending, .*");
            send("TERM", hanging.pid()); // the second signal, as timeout sends one to the process and one to its group
            send("INT", hanging.pid());
            assertThat(hanging.waitFor()).isEqualTo(130);
        }
    }

    public static final class Exiting extends ForwardingSimulation {

        public Exiting() {
            super(new SpringSimulation(1));
        }

        @Override
        public void step(Tick tick) {
            System.exit(0);
        }
    }

    @Test
    void shouldEndWithOneIfTheWorldEndsTheProcess() throws Exception {
        String world = "--simulation=" + Exiting.class.getName();
        Process exiting = start(Escapement.class, "run", world, "--seconds=60", "--out=" + folder);
        try (BufferedReader out = exiting.inputReader()) {
            String all = out.lines().collect(Collectors.joining("\n"));
            assertThat(exiting.waitFor()).as(all).isEqualTo(1);
            assertThat(all)
                    .contains("CtrlCTest$Exiting.step(CtrlCTest.java:", "called System.exit", "there is no verdict");
        }
    }

    static final class Hanging {

        public static void main(String[] arguments) throws InterruptedException {
            EndRequest.accept();
            System.out.println("ready");
            new CountDownLatch(1).await(1, TimeUnit.MINUTES);
        }
    }

    /** Starts a process in which Ctrl-C works, even if the tests run as a background job, whose processes ignore SIGINT. */
    private static Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(ChildProcess.java(List.of(), main, List.of(arguments)));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void send(String signal, long process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process)).start();
        assertThat(kill.waitFor()).isZero();
    }

    private static void awaitLine(BufferedReader out, String pattern) {
        assertThat(out.lines().anyMatch(line -> line.matches(pattern)))
                .as("a line %s", pattern)
                .isTrue();
    }
}
