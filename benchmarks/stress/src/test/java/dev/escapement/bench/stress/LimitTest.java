package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.stress.Calibration.Yardstick;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitTest {

    private static final String GOOD =
            "{'scenario': 'idle', 'figure': 'tick lateness p50', 'per': 'wake-up', 'atMost': 3}";

    @TempDir
    private Path folder;

    @Test
    void shouldReadLimits() throws Exception {
        String other = "{'scenario': 'idle', 'figure': 'time factor', 'per': 'none', 'atMost': 1.5}";
        assertThat(Limit.read(file("[" + GOOD + "," + other + "]")))
                .containsExactly(
                        new Limit("idle", "tick lateness p50", Yardstick.WAKE_UP, 3),
                        new Limit("idle", "time factor", Yardstick.NONE, 1.5));
    }

    @Test
    void shouldReadTheLimitsOfThisProject() {
        assertThat(Limit.read(Path.of("gate.json"))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            | there must be an array with a limit or more
            [%s | is no JSON
            [%s, ] | is no JSON
            [{scenario: 'idle'}] | is no JSON
            [%s] 7 | is no JSON
            {} | there must be an array with a limit or more
            [] | there must be an array with a limit or more
            [%s, 3] | limit 2: a limit is an object with [atMost, figure, per, scenario], not 3
            [%s, {'scenario': 'idle', 'atmost': 3}] | limit 2: 'atmost' is not known; a limit has [atMost, figure, per, scenario]
            [{'figure': 'time factor', 'per': 'none', 'atMost': 3}] | limit 1: 'scenario' must be a text, but is null
            [{'scenario': 'idel', 'figure': 'time factor', 'per': 'none', 'atMost': 3}] | limit 1: there is no scenario 'idel'; there are idle
            [{'scenario': 'idle', 'figure': 'tick lateness p95', 'per': 'none', 'atMost': 3}] | limit 1: there is no figure 'tick lateness p95'; there are time factor
            [{'scenario': 'idle', 'figure': 'time factor', 'per': 'wakeup', 'atMost': 3}] | limit 1: 'per' cannot be 'wakeup'; it is one of wake-up, copy, get-and-set, none
            [{'scenario': 'idle', 'figure': 'time factor', 'per': 'none', 'atMost': '3'}] | limit 1: 'atMost' must be a number, but is "3"
            [{'scenario': 'idle', 'figure': 'time factor', 'per': 'none', 'atMost': -3}] | limit 1: 'atMost' must be more than 0 and finite, but is -3
            [{'scenario': 'idle', 'figure': 'time factor', 'per': 'none', 'atMost': 1e999}] | limit 1: 'atMost' must be more than 0 and finite, but is 1e999
            """)
    void shouldSayInOneLineWhereAFileIsWrong(String text, String says) throws Exception {
        Path file = file(text == null ? "" : text.replace("%s", GOOD));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.read(file))
                .withMessageStartingWith("--gate: " + file)
                .withMessageContaining(says)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        Path missing = folder.resolve("missing.json");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.read(missing))
                .withMessage("--gate: there is no file " + missing);
    }

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("limits.json"), text.replace('\'', '"'));
    }
}
