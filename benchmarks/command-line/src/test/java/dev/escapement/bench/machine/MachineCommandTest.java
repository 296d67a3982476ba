package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.machine.TickProbe.Late;
import dev.escapement.platform.linux.TakenTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MachineCommandTest {

    @Test
    void shouldSayEachThingWithinTheWidthOfAScreen() {
        StringWriter out = new StringWriter();
        MachineCommand machine = new MachineCommand();
        machine.secondNanos = 20_000_000;
        CommandLine command = new CommandLine(machine).setOut(new PrintWriter(out, true));
        assertThat(command.execute()).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .filteredOn(line -> line.startsWith("|") || line.startsWith("+"))
                .isNotEmpty()
                .allMatch(line -> line.length() <= 100, "within 100 columns");
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("| "))
                        .map(line -> line.split("\\|", -1)[1].strip())
                        .filter(what -> !what.isEmpty()))
                .hasSize(10)
                .startsWith("what", "cores", "load", "timers", "OpenGL", "Jolt")
                .endsWith("policy", "priority", "a tick", "with busy cores");
        assertThat(lines.get(lines.size() - 1)).startsWith("Machine: ").endsWith(".");
    }

    @Test
    void shouldNameTheDelayAndThePolicyThatHelps() {
        Late plain = new Late("", 9, 5000);
        assertThat(busy(plain, new Late("policy", 9, 300), new Late("priority", 9, 40)))
                .extracting(Finding::grade, Finding::means)
                .containsExactly(
                        Grade.FAIR, "no core was free (75 %), the JVM paused (25 %); the priority helps: 40.0 us p99");
        assertThat(busy(plain, new Late("policy", 9, 6000)).means()).contains("; no policy helps");
        assertThat(busy(new Late("", 9, 100)).grade()).isEqualTo(Grade.GOOD);
    }

    private static Finding busy(Late... late) {
        return TickProbe.busy(List.of(late), new TakenTime(0, 3, 1, 0));
    }

    @Test
    void shouldComeToTheVerdictOfTheWorst() {
        Finding good = graded(1);
        Finding fair = graded(300);
        assertThat(Finding.verdict(List.of(good))).startsWith("As good as");
        assertThat(Finding.verdict(List.of(good, fair))).startsWith("Usable");
        assertThat(Finding.verdict(List.of(graded(3000), fair))).startsWith("Change");
    }

    private static Finding graded(double micros) {
        return Finding.graded("it", micros, micros + " us", 200, 2000, "fine", "repair it");
    }
}
