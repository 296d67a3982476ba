package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.JsonKeys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class StressCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fault-pairs --seeds 0       | --seeds must be at least 1, but is 0
            handoffs --count 0          | --count must be positive, but is 0
            handoffs --readers 9        | --readers must be between 1 and 8, but is 9
            faultpairs                  | there is no scenario 'faultpairs'
            """)
    void shouldRefuseBadInputBeforeAnythingRuns(String arguments, String says) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        if (!arguments.startsWith("handoffs")) {
            all.addAll(List.of("--out", folder.resolve("out").toString()));
        }
        StringBuilder message = new StringBuilder();
        CommandLine command = command();
        command.setExecutionExceptionHandler((e, failed, result) -> {
            message.append(e.getMessage());
            return e instanceof IllegalArgumentException ? 2 : 3;
        });
        assertThat(command.execute(all.toArray(String[]::new))).isEqualTo(2);
        assertThat(message.toString()).contains(says);
        assertThat(out.toString()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldHandOverWithoutAFault(int readers) {
        assertThat(command().execute("handoffs", "--count", "200000", "--readers", Integer.toString(readers)))
                .isZero();
        assertThat(out.toString()).contains("Held: handoffs kept 4 promises in ");
    }

    @Test
    void shouldFindThePlantedFaultOfAHandover() {
        assertThat(command().execute("handoffs", "--count", "100000", "--plant", "write_after_publish"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("Broken: 'no snapshot changes while a reader holds it'");
    }

    @Test
    void shouldWriteTheKnownKeysAfterEachScenario() throws Exception {
        assertThat(command().execute("fault-pairs", "--seeds", "9", "--out", folder.toString()))
                .isZero();
        String json = Files.readString(folder.resolve("stress.json"));
        assertThat(json).contains("\"held\": true");
        assertThat(JsonKeys.of(json)).isEqualTo(JsonKeys.listed("""
                        cores
                        held
                        java
                        scenarios
                        scenarios[].checks
                        scenarios[].checks[].broken
                        scenarios[].checks[].checked
                        scenarios[].checks[].example
                        scenarios[].checks[].promise
                        scenarios[].checks[].says
                        scenarios[].distributions
                        scenarios[].ended
                        scenarios[].failure
                        scenarios[].findings
                        scenarios[].leftOut
                        scenarios[].lives
                        scenarios[].lost
                        scenarios[].parts
                        scenarios[].seconds
                        scenarios[].seed
                        scenarios[].ticks
                        scenarios[].world"""));
    }

    @Test
    void shouldEndWithOneIfAScenarioBrokeAPromise() throws Exception {
        StressCommand stress = new StressCommand();
        new CommandLine(stress).setOut(new PrintWriter(out, true)).parseArgs("--out", folder.toString());
        Scenario sound = new Scenario("sound", 1, Set.of(Promise.WHOLE), trial -> {
            trial.check(Promise.WHOLE).held(1);
        });
        Scenario faulty = new Scenario("faulty", 1, Set.of(Promise.WHOLE), trial -> {
            trial.check(Promise.WHOLE).broken("tick 7 is torn");
        });
        assertThat(stress.stress(List.of(sound))).isZero();
        assertThat(stress.stress(List.of(sound, faulty))).isEqualTo(1);
        assertThat(out.toString())
                .contains("Broken: 'no snapshot changes while a reader holds it': tick 7 is torn. Seed 1 ");
        assertThat(Files.readString(folder.resolve("stress.json"))).contains("\"held\": false");
    }

    private CommandLine command() {
        return new CommandLine(new StressCommand())
                .setOut(new PrintWriter(out, true))
                .setCaseInsensitiveEnumValuesAllowed(true);
    }
}
