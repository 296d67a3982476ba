package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the virtual clock gives the metrics of the results page on every machine, in all digits that the page shows. */
class ResultsPageTest {

    private static final Path PAGE = Path.of("..", "results", "compare.md");
    private static final Path GOLDEN = Path.of("src", "test", "resources", "golden");

    /** The files have all rows. The page has all rows of the table of heavy steps, and some of the others. .ci/golden writes the files. */
    @ParameterizedTest
    @EnumSource(Profile.class)
    void shouldHaveTheMetricsOfThePage(Profile profile) throws Exception {
        List<Result> results = Case.all().parallelStream()
                .filter(run -> profile.loads().contains(run.load()))
                .map(VirtualContest::measure)
                .toList();
        String all = CompareTable.text(results, profile);
        Path golden = GOLDEN.resolve("compare-" + profile + ".txt");
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(golden, all);
        }
        assertThat(golden).hasContent(all);
        boolean isLoad = profile == Profile.HEAVY || profile == Profile.LIGHT;
        List<String> shown = rows(table(Files.readString(PAGE), profile + (isLoad ? " load" : "")));
        assertThat(shown).hasSizeGreaterThan(5).isSubsetOf(rows(all));
        assertThat(profile != Profile.HEAVY || shown.equals(rows(all))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "ACCUMULATOR, accumulator in the render loop, 1",
        "NEWEST, newest snapshot, 1",
        "SERVICE_3, Escapement, 2",
        "SERVICE_AHEAD, 'Escapement, looking a tick ahead', 2"
    })
    void shouldHaveTheMetricsOfTheReadme(Contestant who, String title, int digits) throws Exception {
        String readme = Files.readString(Path.of("..", "..", "README.md"))
                .replace("**", "")
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        Result heavy = VirtualContest.measure(new Case(who, LoadProfile.HEAVY, RefreshCase.FPS_144));
        Result overload = VirtualContest.measure(new Case(who, LoadProfile.STEPS_14_MS, RefreshCase.FPS_144));
        String error = "%." + digits + "f";
        assertThat(readme)
                .contains(String.format(
                        Locale.ROOT,
                        "| %s | " + error + ", " + error + " ms | %.0f | %.0f ms | %.0f | %.0f %% |",
                        title,
                        heavy.errorMicros().mean() / 1e3,
                        heavy.errorMicros().p99() / 1e3,
                        heavy.framesPerSecond(),
                        Objects.requireNonNull(heavy.lookBehindMicros()).mean() / 1e3,
                        overload.framesPerSecond(),
                        overload.unevennessPercent()));
        assertThat(who == Contestant.SERVICE_AHEAD)
                .isEqualTo(readme.contains(String.format(
                        Locale.ROOT,
                        "a bouncing ball is drawn up to %.0f cm off its place",
                        Objects.requireNonNull(heavy.positionMicrometres()).max() / 1e4)));
    }

    private static String table(String page, String header) {
        String row = "row  " + header + "  ";
        assertThat(page).contains(row);
        return page.substring(page.indexOf(row), page.indexOf("```", page.indexOf(row)));
    }

    private static List<String> rows(String text) {
        return text.lines()
                .filter(line -> line.matches(" *(\\d+[abc]?|-)  +.*\\d.*"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void shouldNameEveryContestant() throws Exception {
        assertThat(Files.readString(PAGE))
                .contains(Arrays.stream(Contestant.values())
                        .filter(who -> who != Contestant.SERVICE_2) // the entry of SERVICE_3 also describes SERVICE_2
                        .filter(who -> !who.isForOverload()) // the page has no entry for these variants of SERVICE_3
                        .map(who -> "\n- **" + (who.row.equals("-") ? "" : who.row + " ") + who.title + "**: ")
                        .toList());
    }
}
