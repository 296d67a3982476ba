package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.MadeScenario.End;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StressTableTest {

    private static final int WIDTH = 160;
    private static final List<End> ENDS = List.of(End.HOLDS, End.BREAKS, End.SKIPS);

    @Test
    void shouldHaveARowForEachOfThirtyScenariosWithinTheWidthOfAScreen() {
        List<Outcome> outcomes = IntStream.range(0, 30)
                .mapToObj(i -> outcome("a-scenario-of-some-length-" + i, ENDS.get(i % ENDS.size()), 10_000 * i))
                .toList();
        List<String> lines = StressTable.OUTCOMES.text(outcomes).lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= WIDTH, "within 160 columns");
        assertThat(lines.stream().filter(line -> line.contains("a-scenario-of-some-length-")))
                .hasSize(30);
    }

    @Test
    void shouldListWithinTheWidthOfAScreen() {
        List<String> lines = StressTable.LIST
                .textWithoutBorders(List.of(MadeScenario.of("a-scenario-of-some-length", End.HOLDS, 1)))
                .lines()
                .toList();
        assertThat(lines).allMatch(line -> line.length() <= WIDTH, "within 160 columns");
        assertThat(lines).anyMatch(line -> line.contains("whole, fresh"));
    }

    @Test
    void shouldSayFirstWhatIsWrongAndThenTheVerdictsApart() {
        String text = StressTable.verdicts(List.of(
                outcome("sound", End.HOLDS, 100), outcome("faulty", End.BREAKS, 3000), outcome("away", End.SKIPS, 0)));
        assertThat(text.replaceFirst("away for [\\d,]+ ms", "away for 12 ms").lines())
                .containsExactly(
                        "FAULT: faulty: 'no window is older than what was published before it was asked for' was broken 1 of 1 times,"
                                + " first: tick 3 when 5 was published",
                        "away skipped: there is no <second> machine",
                        "Library: 1 broken, 1 scenario held in 2,470 checks, 1 skipped, of which nothing is known.",
                        "Machine: 2 figures good, 0 fair, 2 poor; no tick given up; it was away for 12 ms in all.",
                        "  to change: buy a better clock");
    }

    private static Outcome outcome(String name, End end, double micros) {
        return TrialRun.of(MadeScenario.of(name, end, micros), 1, null).outcome();
    }
}
