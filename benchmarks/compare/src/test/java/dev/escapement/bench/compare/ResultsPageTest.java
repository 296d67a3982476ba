package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The virtual clock gives the metrics of the page of results, in all written digits, on every machine. */
class ResultsPageTest {

    private static final Path PAGE = Path.of("..", "results", "compare.md");

    @Test
    void shouldHaveTheMetricsOfThePage() throws Exception {
        String page = Files.readString(PAGE);
        assertThat(measured(Profile.HEAVY, "")).isEqualTo(rows(table(page, "heavy load")));
        assertThat(measured(Profile.OVERLOAD, "")).isEqualTo(rows(table(page, "overload")));
        assertThat(measured(Profile.UNEVEN, "")).isEqualTo(rows(table(page, "uneven")));
        String shown = table(page, "light load");
        assertThat(rows(shown)).hasSizeGreaterThan(5).isSubsetOf(measured(Profile.LIGHT, shown));
    }

    private static String table(String page, String header) {
        String row = "row  " + header + "  ";
        assertThat(page).contains(row);
        return page.substring(page.indexOf(row), page.indexOf("```", page.indexOf(row)));
    }

    /** The rows of the contestants that are shown, of all if nothing is. */
    private static List<String> measured(Profile profile, String shown) {
        List<Result> results = Case.all().parallelStream()
                .filter(run -> profile.loads().contains(run.load()))
                .filter(run -> shown.isEmpty() || shown.contains("  " + run.contestant().title + "  "))
                .map(VirtualContest::measure)
                .toList();
        return rows(CompareTable.text(results, profile));
    }

    /** Without what aligns their columns. */
    private static List<String> rows(String text) {
        return text.lines()
                .filter(line -> line.matches(" *(\\d+[abc]?|-)  +.*\\d.*"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void shouldNameEveryContestant() throws Exception {
        assertThat(Arrays.stream(Contestant.values())
                        .filter(who -> who != Contestant.SERVICE_2) // included with the next
                        .filter(who -> !who.isForOverload()) // named with their policies
                        .map(who -> "\n- **" + (who.row.equals("-") ? "" : who.row + " ") + who.title + "**: "))
                .allMatch(Files.readString(PAGE)::contains);
    }
}
