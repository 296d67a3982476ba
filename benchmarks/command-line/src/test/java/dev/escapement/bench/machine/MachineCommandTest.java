package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.escapement.bench.machine.Finding.Grade;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MachineCommandTest {

    @TempDir
    private Path folder;

    @Test
    void shouldSayEachThingWithinTheWidthOfAScreenAndWriteEachRow() throws IOException {
        StringWriter out = new StringWriter();
        MachineCommand machine = new MachineCommand();
        machine.runNanos = 100_000_000;
        Path json = folder.resolve("machine.json");
        CommandLine command = new CommandLine(machine).setOut(new PrintWriter(out, true));
        assertThat(command.execute("--json", json.toString())).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.stream().filter(line -> line.startsWith("|") || line.startsWith("+")))
                .allMatch(line -> line.length() <= 100, "within 100 columns");
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("| "))
                        .map(line -> line.split("\\|", -1)[1].strip())
                        .filter(what -> !what.isEmpty() && !what.equals("cyclictest"))
                        .distinct())
                .containsExactly(
                        "what",
                        "cores",
                        "load",
                        "timers",
                        "OpenGL",
                        "Jolt",
                        "Bullet",
                        "SDL gamepads",
                        "escapement+policy",
                        "escapement+priority",
                        "a tick of Escapement",
                        "with busy cores",
                        // what was measured has the same header as a finding
                        "quiet",
                        "busy",
                        "busier");
        assertThat(lines.get(lines.size() - 1)).startsWith("Machine: ").endsWith(".");
        JsonArray rows =
                JsonParser.parseString(Files.readString(json)).getAsJsonObject().getAsJsonArray("lateness");
        assertThat(rows.asList().stream()
                        .map(JsonElement::getAsJsonObject)
                        .map(row -> row.get("load").getAsString() + " "
                                + row.get("way").getAsString() + " "
                                + row.get("stepMicros").getAsInt()))
                .doesNotHaveDuplicates()
                .contains(
                        "quiet escapement 200",
                        "busy escapement 1500",
                        "busier escapement 4000",
                        "busy thread_sleep 0");
    }

    @Test
    void shouldRefuseAFileForTheRamp() {
        StringWriter errors = new StringWriter();
        CommandLine command = new CommandLine(new MachineCommand()).setErr(new PrintWriter(errors, true));
        assertThat(command.execute("--ramp", "--json", "machine.json")).isNotZero();
        assertThat(errors.toString()).contains("--json needs a run without --ramp");
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
