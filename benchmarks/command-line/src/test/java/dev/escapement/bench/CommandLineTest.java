package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

class CommandLineTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --engine physx      | physx
            --bodies -1         | --bodies must be between 0 and 1000000, but is -1
            --bodies many       | many
            --bodies 1000001    | but is 1000001
            --seconds 0         | --seconds must be between 1 and 604800, but is 0
            --tick-hz 0         | a rate must be positive, but is 0
            --tick-hz 1e9       | between 1/1000 and 100000 Hz
            --tick-hz 0.001     | --tick-hz 1/1000 Hz gives 0 ticks in --seconds 10, but a picture needs 3
            --fps NaN           | 'NaN' is not a rate in hertz
            --fps -60           | must be positive
            --snapshots 1       | --snapshots must be between 2 and 10, but is 1
            --colour red        | --colour
            """)
    void shouldRefuseBadInputInOneLine(String arguments, String says) throws Exception {
        String inFolder = "run --engine spring --out " + folder.resolve("out");
        int exitCode = execute((inFolder + " " + arguments).split(" "));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).startsWith("escapement: ").contains(says);
        assertThat(err.toString().strip().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
        assertNothingWritten();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bench --scale         | --scale is no more: results/interpolation.md has what version 0.2.0 measured
            bench --scale --quick | --scale is no more
            pacing                | 'pacing' is part of 'machine' now
            pacing --rounds 0     | 'pacing' is part of 'machine' now
            handoffs --count 5    | 'handoffs' is part of 'stress' now: 'stress handoffs'
            flood                 | 'flood' is part of 'stress' now: 'stress flood'
            film --out film.gif   | B in 'run --window' shows both sides
            machine --rounds 0    | --rounds
            machine --seconds 0   | --seconds must be between 1 and 3600, but is 0
            machine --seconds 1.5 | 1.5
            machine --load 3      | --load
            machine --rate 0      | --rate must be between 1 and 10000, but is 0
            machine --rate 10001  | --rate must be between 1 and 10000, but is 10001
            machine --bodies -1   | --bodies must be between 0 and 1000000, but is -1
            cost --ticks 5        | 'cost' is part of 'bench' now: 'bench cost'
            bench cost --ticks 0  | --ticks must be between 1 and 1000000, but is 0
            wire --ticks 100      | --ticks must be between 101 and 10000, but is 100
            compare --profile dark | expected one of [LIGHT, HEAVY, SPIKY] (case-insensitive) but was 'dark'
            compare --profile     | --profile
            compare --seconds -1  | --seconds must be between 0 and 3600, but is -1
            compare --seconds 3601 | but is 3601
            compare --loops 3     | --loops
            compare --live        | use 'run --live'
            """)
    void shouldRefuseBadInputOfAComparisonInOneLine(String arguments, String says) {
        assertThat(execute(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("escapement: ").contains(says);
        assertThat(err.toString().strip().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldFormatEveryHelpTextAndSayInASentenceWhatEachCommandDoes() {
        for (CommandLine command : Escapement.commandLine().getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            assertThat(spec.usageMessage().description()[0]).as(spec.name()).endsWith(".");
            for (ArgSpec argument : spec.args()) {
                assertThat(argument.description())
                        .as("%s of %s", argument, spec.name())
                        .isNotEmpty();
                texts(argument.description());
            }
            texts(spec.usageMessage().description());
            out.getBuffer().setLength(0);
            assertThat(execute(spec.name(), "--help")).isZero();
            assertThat(out.toString()).startsWith("Usage: escapement " + spec.name());
        }
        assertThat(err.toString()).isEmpty();
    }

    /** Throws where picocli would warn. */
    private static void texts(String... formats) {
        for (String format : formats) {
            assertThat(String.format(format)).isNotBlank();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            runs             | did you mean 'run'?
            compear          | did you mean 'compare'?
            run --bodeis 3   | did you mean '--bodies'?
            run --enigne x   | did you mean '--engine'?
            """)
    void shouldSuggestWhatWasMeant(String arguments, String says) {
        assertThat(execute(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("escapement: ").contains(says);
        assertThat(err.toString().strip().lines()).hasSize(1);
    }

    @Test
    void shouldRefuseAFolderThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "kept");
        int exitCode = execute("run", "--engine", "spring", "--out", file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("--out: the folder " + file).contains("a file of that name exists");
        assertThat(err.toString().strip().lines()).hasSize(1);
        assertThat(file).hasContent("kept");
    }

    /** Everything that takes a path, with a place where none can be made, one below a file, and one that is not there. */
    @ParameterizedTest
    @CsvSource({
        "run --engine spring --out %s",
        "run --engine spring --out OUT --json %s/x",
        "run --engine spring --out OUT --screenshot %s/x.png",
        "run --engine spring --out OUT --record %s/x",
        "watch udp:127.0.0.1:9 --out %s",
        "watch udp:127.0.0.1:9 --out OUT --json %s/x",
        "watch --replay %s --out OUT",
        "compare --out %s",
        "wire --out %s",
        "stress --out %s",
        "machine --out %s",
        "bench ratios %s",
        "replay %s",
        "cluster --node-file %s",
        "cluster --folder %s",
    })
    void shouldSayPathAndReasonInOneLineWhereAPathIsBad(String arguments) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "kept");
        for (String bad : List.of("/proc/nope", file.resolve("nope").toString())) {
            err.getBuffer().setLength(0);
            String line = arguments
                    .formatted(bad)
                    .replace("OUT", folder.resolve("out").toString());
            int exitCode = execute(line.split(" "));
            assertThat(err.toString().strip())
                    .as(line)
                    .startsWith("escapement: ")
                    .contains(bad.startsWith("/proc") ? "/proc" : file.toString())
                    .doesNotContain("Exception")
                    .hasLineCount(1);
            assertThat(exitCode).as(line).isEqualTo(2);
        }
        assertThat(file).hasContent("kept");
    }

    @Test
    void shouldRefuseAFolderForAComparisonThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "kept");
        assertThat(execute("compare", "--out", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--out: the folder " + file).contains("a file of that name exists");
        assertThat(err.toString().strip().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
        assertThat(file).hasContent("kept");
    }

    @Test
    void shouldWriteNothingOfAComparisonForAnUnknownLoad() throws Exception {
        assertThat(execute(
                        "compare",
                        "--profile",
                        "dark",
                        "--out",
                        folder.resolve("out").toString()))
                .isEqualTo(2);
        assertNothingWritten();
    }

    @Test
    void shouldRefuseAJsonFileThatIsAFolder() throws Exception {
        int exitCode = execute("run", "--engine", "spring", "--out", folder.toString(), "--json", folder.toString());
        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("is a folder, not a file");
        assertNothingWritten();
    }

    @Test
    void shouldSayWhatItCanDo() {
        assertThat(execute("run", "--help")).isZero();
        assertThat(out.toString()).contains("P pauses", "runs one tick", "beside itself", "600");
        assertThat(out.toString())
                .contains(List.of(
                        "--engine",
                        "--bodies",
                        "--seconds",
                        "--tick-hz",
                        "--fps",
                        "--snapshots",
                        "--window",
                        "--screenshot",
                        "--record",
                        "--out",
                        "--json"));
    }

    @Test
    void shouldCompareEverybodyUnderEveryLoad() throws Exception {
        assertThat(execute("compare", "--profile", "Spiky", "--seconds", "0", "--out", folder.toString()))
                .isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("spiky load")
                .contains("| Escapement ")
                .contains("Page: ");
        assertThat(folder.resolve("compare.html"))
                .content()
                .startsWith("<!DOCTYPE html>")
                .endsWith("</html>\n");
        JsonObject json = JsonParser.parseString(Files.readString(folder.resolve("compare.json")))
                .getAsJsonObject();
        assertThat(json.getAsJsonArray("onVirtualClock")).hasSize(26 * 3 * 4);
        assertThat(json.has("onRealThreads")).isFalse();
    }

    private int execute(String... arguments) {
        CommandLine commandLine = Escapement.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    private void assertNothingWritten() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }
}
