package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.machine.Finding.Grade;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MachineCommandTest {

    @Test
    void shouldSayEachThingWithinTheWidthOfAScreen() {
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new MachineCommand()).setOut(new PrintWriter(out, true));
        assertThat(command.execute()).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.stream().filter(line -> line.startsWith("|") || line.startsWith("+")))
                .allMatch(line -> line.length() <= 100, "within 100 columns");
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("| "))
                        .map(line -> line.split("\\|", -1)[1].strip())
                        .filter(what -> !what.isEmpty() && !what.equals("cyclictest")))
                .containsExactly(
                        "what",
                        "cores",
                        "load",
                        "timers",
                        "OpenGL",
                        "Jolt",
                        "Bullet",
                        "SDL gamepads",
                        "a tick of Escapement",
                        "late by",
                        "escapement",
                        "scheduled_executor",
                        "thread_sleep");
        assertThat(lines.get(lines.size() - 1)).startsWith("Machine: ").endsWith(".");
    }

    @Test
    void shouldGradeADurationByItsLimits() {
        assertThat(graded(200)).extracting(Finding::grade, Finding::means).containsExactly(Grade.GOOD, "fine");
        assertThat(graded(201)).extracting(Finding::grade, Finding::means).containsExactly(Grade.FAIR, "repair it");
        assertThat(graded(2001)).extracting(Finding::grade, Finding::means).containsExactly(Grade.POOR, "repair it");
    }

    @Test
    void shouldComeToTheVerdictOfTheWorst() {
        assertThat(Finding.verdict(List.of(graded(1)))).startsWith("As good as");
        assertThat(Finding.verdict(List.of(graded(1), graded(300)))).startsWith("Usable");
        assertThat(Finding.verdict(List.of(graded(3000), graded(300)))).startsWith("Change");
    }

    @Test
    void shouldReportWhoDraws() {
        assertThat(MachineSurvey.drawnBy("llvmpipe (LLVM 15.0.6, 256 bits)").grade())
                .isEqualTo(Grade.FAIR);
        assertThat(MachineSurvey.drawnBy("AMD Radeon RX 6600").grade()).isEqualTo(Grade.GOOD);
    }

    private static Finding graded(double micros) {
        return Finding.graded("it", micros, micros + " us", 200, 2000, "fine", "repair it");
    }
}
