package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.MadeScenario.End;
import dev.escapement.bench.stress.trial.TrialRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of scenarios, if the next one or the disk fails. */
class StressFolderTest {

    @TempDir
    private Path temporary;

    @Test
    void shouldHaveEverythingAfterEachScenario() throws Exception {
        Path out = temporary.resolve("out");
        StressFolder folder = new StressFolder(out);
        folder.keep(run("first", End.HOLDS, 100));
        assertThat(json(out).getAsJsonArray("scenarios")).hasSize(1);
        assertThat(out.resolve("stress.html")).content().contains("1 scenario held in 1,235 checks");

        folder.keep(run("second", End.BREAKS, 100));
        folder.keep(run("third", End.SKIPS, 100));
        JsonObject json = json(out);
        assertThat(json.getAsJsonArray("scenarios")).hasSize(3);
        assertThat(json.get("held").getAsInt()).isOne();
        assertThat(json.get("broken").getAsInt()).isOne();
        assertThat(json.get("skipped").getAsInt()).isOne();
        assertThat(folder.failure()).isEmpty();
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("stress.html", "stress.json");
        }
    }

    @Test
    void shouldWriteTheKnownKeys() throws Exception {
        Path out = temporary.resolve("out");
        Gate gate = new Gate(Map.of("tick lateness", 1.0));
        TrialRun idle = run("idle", End.HOLDS, 100);
        gate.add(1, idle.outcome());
        StressFolder folder = new StressFolder(out);
        folder.keep(idle);
        folder.keep(gate);
        assertThat(JsonKeys.of(Files.readString(out.resolve("stress.json")))).isEqualTo(JsonKeys.listed("""
                        broken
                        cores
                        gate
                        gate[].atMost
                        gate[].figure
                        gate[].per
                        gate[].ratio
                        gate[].rounds
                        gate[].scenario
                        gate[].verdict
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
                        scenarios[].distributions[].micros: Summary
                        scenarios[].distributions[].name
                        scenarios[].figures
                        scenarios[].figures[].advice
                        scenarios[].figures[].grade
                        scenarios[].figures[].name
                        scenarios[].figures[].unit
                        scenarios[].figures[].value
                        scenarios[].givenUpTicks
                        scenarios[].machineAwayMillis
                        scenarios[].reason
                        scenarios[].says
                        scenarios[].scenario
                        scenarios[].seconds
                        scenarios[].slowGivenUpTicks
                        scenarios[].unexplainedGivenUpTicks
                        scenarios[].verdict
                        skipped"""));
    }

    @Test
    void shouldPlotNothingOfWhatWasNotMeasured() throws Exception {
        TrialRun run = new TrialRun(
                run("short", End.HOLDS, 100).outcome(),
                Map.of("acquire", new Distribution()),
                Map.of("resident memory, MB", new Series(10)));
        assertThat(StressPage.Section.of(run).plots()).isEmpty();
    }

    /** As many scenarios as there are and more, each with what an hour records. */
    @Test
    void shouldWriteNoPageAboveTwoMegabytes() {
        SplittableRandom random = new SplittableRandom(1);
        Map<String, Distribution> durations = new LinkedHashMap<>();
        Map<String, Series> curves = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            Distribution distribution = new Distribution();
            Series series = new Series(100_000);
            for (int point = 0; point < 100_000; point++) {
                distribution.record((long) Math.exp(random.nextDouble(20)));
                series.add(point / 27.7, random.nextDouble(1e5));
            }
            durations.put("durations " + i, distribution);
            curves.put("curve " + i, series);
        }
        TrialRun run = new TrialRun(run("hour", End.HOLDS, 100).outcome(), durations, curves);
        StressFolder.StressFile file =
                new StressFolder.StressFile("a JVM", 2, 45, 0, 0, Collections.nCopies(45, run.outcome()), List.of());
        List<StressPage.Section> sections = Collections.nCopies(45, StressPage.Section.of(run));
        assertThat(StressPage.html(file, sections).getBytes(StandardCharsets.UTF_8))
                .hasSizeBetween(500_000, 2_000_000);
    }

    @Test
    void shouldKeepTheVerdictsApart() throws Exception {
        Path out = temporary.resolve("out");
        StressFolder folder = new StressFolder(out);
        folder.keep(run("sound", End.HOLDS, 5000));
        folder.keep(run("skipped", End.SKIPS, 0));
        String page = Files.readString(out.resolve("stress.html"));
        String library = between(page, "<h2>The library: promises</h2>", "<h2>This machine: figures</h2>");
        String machine = between(page, "<h2>This machine: figures</h2>", "<h2>Scenario by scenario</h2>");
        assertThat(library)
                .contains("1 scenario held in 1,235 checks, 1 skipped, of which nothing is known.")
                .contains("was skipped: there is no &lt;second&gt; machine")
                .doesNotContain("poor", "class=\"verdict fault\"");
        assertThat(machine)
                .contains("0 figures good, 0 fair, 2 poor; no tick given up; it was away for ")
                .contains("buy a better clock")
                .doesNotContain("held");
        assertThat(page.split("buy a better clock", -1)).as("advice, once").hasSize(2);
        assertThat(page).doesNotContain("src=\"http", "href=\"http").endsWith("</html>\n");
    }

    @Test
    void shouldSayWhatWasBroken() throws Exception {
        Path out = temporary.resolve("out");
        new StressFolder(out).keep(run("faulty", End.BREAKS, 100));
        assertThat(out.resolve("stress.html"))
                .content()
                .contains(
                        "class=\"verdict fault\"",
                        "1 broken, 0 scenarios held",
                        "First seen: tick 3 when 5 was published");
    }

    @Test
    void shouldGoOnWithoutAFolderAndCatchUpWhenItIsBack() throws Exception {
        Path out = temporary.resolve("out");
        StressFolder folder = new StressFolder(out);
        folder.keep(run("first", End.HOLDS, 100));
        Path away = Files.move(out, temporary.resolve("away"));
        folder.keep(run("second", End.HOLDS, 100));
        assertThat(folder.failure())
                .contains("stress.json could not be written")
                .doesNotContain("\n");
        assertThat(folder.outcomes()).hasSize(2);
        assertThat(json(away).getAsJsonArray("scenarios")).hasSize(1);

        Files.move(away, out);
        folder.keep(run("third", End.HOLDS, 100));
        assertThat(folder.failure()).isEmpty();
        assertThat(json(out).getAsJsonArray("scenarios")).hasSize(3);
    }

    @Test
    void shouldRefuseAFolderThatCannotBeWrittenFromTheStart() throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "kept");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StressFolder(file))
                .withMessageContaining("--out: the folder " + file);
        assertThat(file).hasContent("kept");
    }

    private static TrialRun run(String name, End end, double micros) {
        return TrialRun.of(MadeScenario.of(name, end, micros), 1, null);
    }

    private static JsonObject json(Path out) throws IOException {
        return JsonParser.parseString(Files.readString(out.resolve("stress.json")))
                .getAsJsonObject();
    }

    private static String between(String text, String from, String to) {
        return text.substring(text.indexOf(from), text.indexOf(to));
    }
}
