package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class StressCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String arguments) {
        return new CommandLine(new StressCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, failed, result) -> {
                    err.append(e.getMessage());
                    return e instanceof IllegalArgumentException ? 2 : 3;
                })
                .execute(arguments.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            handoffs --count 0                | --count must be at least 1, but is 0
            handoffs --readers 9              | --readers must be between 1 and 8, but is 9
            failures --plant whole            | failures does not check whole, but [file-left, repeated]
            faultpairs                        | Unmatched argument at index 0: 'faultpairs'
            """)
    void shouldRefuseBadInputBeforeAnythingRuns(String arguments, String says) {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(says);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldEndWithOneIfAScenarioBrokeAPromise() {
        assertThat(execute("handoffs --count 20000")).isZero();
        assertThat(execute("handoffs handoffs --count 20000 --readers 1 --plant fresh"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("handoffs kept 4 promises in ", "Broken: 'no window is older than the tick");
    }
}
