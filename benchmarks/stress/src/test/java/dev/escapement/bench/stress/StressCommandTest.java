package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.StressReport.Distribution;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class StressCommandTest {

    private static final String SPRING = "--engine spring --bodies 3 --seed 7";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --seconds -1                   | --seconds must be more than 0 and at most 604800, but is -1.0
            --seconds NaN                  | but is NaN
            --life 0                       | --life must be more than 0
            --worlds 1                     | worlds must be 2 to 10,000
            --bodies -1                    | --bodies must be between 0
            --only hurricane               | slow-listener
            --engine jolt --simulation dev.escapement.bench.demo.SpringSimulation | exclude each other
            """)
    void shouldRefuseBadInputBeforeAnythingRuns(String arguments, String says) {
        assertThat(execute(run -> failed(), arguments)).as(err.toString()).isEqualTo(2);
        assertThat(err.toString()).contains(says);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            handoffs --count 0                | --count must be at least 1, but is 0
            handoffs --readers 9              | --readers must be between 1 and 8, but is 9
            failures --plant whole            | failures does not check whole, but [file-left, repeated]
            faultpairs                        | Unmatched argument at index 0: 'faultpairs'
            """)
    void shouldRefuseBadScenariosBeforeAnythingRuns(String arguments, String says) {
        assertThat(of(new StressCommand()).execute(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(says);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldEndWithOneIfAScenarioBrokeAPromise() {
        assertThat(of(new StressCommand()).execute("handoffs --count 20000".split(" ")))
                .isZero();
        assertThat(of(new StressCommand())
                        .execute("handoffs handoffs --count 20000 --readers 1 --plant fresh".split(" ")))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("handoffs kept 4 promises in ", "Broken: 'no window is older than the tick");
    }

    private static StressReport failed() {
        throw new AssertionError("it ran");
    }

    @Test
    void shouldWriteBothFilesOfAWorldThatHeld() throws Exception {
        assertThat(execute(run -> report(0, 60), SPRING)).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "Seed 7. To repeat: ",
                        "stress soak --engine spring --bodies 3 --seed 7",
                        "Held.",
                        "<springs> kept ");
        String json = Files.readString(folder.resolve("stress.json"));
        assertThat(json).contains("\"held\": true", "\"seed\": 7", "\"repeat\": ", "\"cores\": ");
        assertThat(json.replaceAll("\\s", "")).contains("\"neverChecked\":[\"blamed\"]");
        assertThat(folder.resolve("stress.html")).isNotEmptyFile();
    }

    /** As after a run on a busy machine: a promise was not checked, and nothing explains why. */
    @Test
    void shouldEndWithThreeIfAPromiseWasNotChecked() {
        Checked held = new Checked(Promise.WHOLE.toString(), Promise.WHOLE.says(), 1, 0, "");
        Checked unchecked = new Checked(Promise.FRESH.toString(), Promise.FRESH.says(), 0, 0, "");
        for (List<Checked> checks : List.of(List.of(held, unchecked), List.of(unchecked))) {
            assertThat(execute(run -> ended(checks, Map.of()), SPRING))
                    .as(err.toString())
                    .isEqualTo(3);
        }
        assertThat(out.toString())
                .contains("Not enough: 1 tick, 1 promise unchecked.", "Never checked: fresh.", "Nothing was checked");
    }

    /** The input was good and the report was printed, so the exit code must not be 2. */
    @Test
    void shouldSayThatAFileCouldNotBeWritten() throws Exception {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        Function<StressRun, StressReport> deleting = run -> {
            try {
                Files.delete(gone);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return report(0, 60);
        };
        assertThat(execute(deleting, SPRING, gone)).as(err.toString()).isEqualTo(1);
        assertThat(out.toString()).contains("Held.", "<springs> kept ", "stress.json could not be written");
    }

    @Test
    void shouldQuoteAPathWithSpacesInTheRepeatCommand() {
        String[] arguments = {"--engine", "spring", "--seed", "7", "--classpath", "my worlds.jar"};
        assertThat(SoakCommand.asTyped(line(run -> report(0, 60))
                        .parseArgs(arguments)
                        .matchedOptions()
                        .get(2)))
                .isEqualTo(" --classpath \"my worlds.jar\"");
    }

    /**
     * All planted faults are found except that of flat memory. This is a failure only if the report does not say why the promise was not
     * checked.
     */
    @ParameterizedTest
    @CsvSource({"memory-flat, 0", "'', 1"})
    void shouldNameTheCanariesThatCannotShow(String leftOut, int exitCode) {
        Function<StressRun, StressReport> missing = run -> {
            Promise broken = Objects.requireNonNull(run.planted);
            boolean found = broken != Promise.MEMORY_FLAT;
            Checked check = new Checked(broken.toString(), broken.says(), found ? 1 : 0, found ? 1 : 0, "");
            return ended(List.of(check), leftOut.isEmpty() ? Map.of() : Map.of(leftOut, "lives are short"));
        };
        assertThat(execute(missing, SPRING + " --canary")).isEqualTo(exitCode);
        if (exitCode == 0) {
            assertThat(out.toString())
                    .contains("Left out: memory-flat, lives are short")
                    .doesNotContain("missed");
        }
    }

    private static StressReport ended(List<Checked> checks, Map<String, String> leftOut) {
        return new StressReport("springs", 7, List.of(), leftOut, 1, 1, 1, checks, List.of(), "", List.of());
    }

    @Test
    void shouldSayHowToRepeatAFailure() {
        assertThat(execute(run -> report(1, 60), SPRING)).isEqualTo(1);
        assertThat(out.toString()).contains("Broken: after 2.1 s, in life 1: ", "To repeat: ", "--seed 7");
    }

    /** The page must not refer to another host, for which a browser without a network would wait. */
    @Test
    void shouldDrawAPageOfItsOwnInBothThemes() {
        String page = SoakCommand.page(report(2, 120), "escapement stress soak --seed 7");
        assertThat(page)
                .contains(
                        "<h1>Broken.</h1>",
                        "&lt;springs&gt;",
                        "prefers-color-scheme: dark",
                        "broken 2 times, first: tick 7 &lt;torn&gt;",
                        "there is no web server",
                        "escapement stress soak --seed 7")
                .doesNotContain("{{", "src=\"http", "href=\"http", "<link", "<springs>");
        assertThat(page).as("no page above 2 MB").hasSizeLessThan(2_000_000);
    }

    private static StressReport report(long broken, double seconds) {
        Promise whole = Promise.WHOLE;
        return new StressReport(
                "<springs>",
                7,
                List.of(StormPart.INPUT, StormPart.SLOW_LISTENER),
                Map.of("page", "there is no web server", "blamed", "no tick was late"),
                seconds,
                3,
                Math.round(100 * seconds),
                List.of(
                        new Checked(whole + "", whole.says(), 12_345, broken, broken > 0 ? "tick 7 <torn>" : ""),
                        new Checked(Promise.FRESH.toString(), Promise.FRESH.says(), 9_876, 0, ""),
                        new Checked(Promise.BLAMED.toString(), Promise.BLAMED.says(), 0, 0, "")),
                List.of("a tick allocates 1 MB"),
                broken > 0 ? "after 2.1 s, in life 1: 'no snapshot changes': tick 7 <torn>" : "",
                List.of(new Distribution("lateness, ms", 11, 52, 410, 1_234.5)));
    }

    private int execute(Function<StressRun, StressReport> stress, String arguments) {
        return execute(stress, arguments, folder);
    }

    private int execute(Function<StressRun, StressReport> stress, String arguments, Path to) {
        return line(stress).execute((arguments + " --out " + to).split(" "));
    }

    private CommandLine line(Function<StressRun, StressReport> stress) {
        return of(new SoakCommand(stress)).setCommandName("escapement stress soak");
    }

    private CommandLine of(Object command) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(TickRate.class, hertz -> TickRate.hertz(Long.parseLong(hertz)))
                .setExecutionExceptionHandler((e, failed, result) -> {
                    err.append(e.getMessage());
                    return e instanceof IllegalArgumentException ? 2 : 3;
                });
    }
}
