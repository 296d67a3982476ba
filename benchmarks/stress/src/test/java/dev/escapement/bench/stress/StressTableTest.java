package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StressTableTest {

    private static final int WIDTH = 160;

    @Test
    void shouldHaveARowForEachScenarioWithinTheWidthOfAScreen() {
        List<Outcome> outcomes = IntStream.range(0, 3)
                .mapToObj(i -> MadeScenario.outcome("a-scenario-of-some-length-" + i, true, 10_000 * i))
                .toList();
        List<String> lines = StressTable.text(outcomes).lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= WIDTH, "within 160 columns");
        assertThat(lines.stream().filter(line -> line.contains("a-scenario-of-some-length-")))
                .hasSize(3);
    }

    @Test
    void shouldSayFirstWhatIsWrongAndThenTheVerdict() {
        Scenario unchecked = new Scenario("thrown", "", Set.of(Promise.WHOLE), trial -> {
            throw new IllegalStateException("no such body");
        });
        String text = StressTable.text(List.of(
                MadeScenario.outcome("sound", true, 100),
                MadeScenario.outcome("faulty", false, 3000),
                unchecked.run(1, null)));
        assertThat(text.lines().filter(line -> !line.startsWith("|") && !line.startsWith("+")))
                .containsExactly(
                        "FAULT: faulty: 'no window is older than the tick published before acquiring it' was broken 1 of 1 times,"
                                + " first: tick 3 when 5 was published",
                        "FAULT: thrown broken: java.lang.IllegalStateException: no such body",
                        "FAULT: thrown: 'no snapshot changes while a reader holds it' was never checked",
                        "Library: 2 broken, 1 scenario held in 2,470 checks.");
    }
}
