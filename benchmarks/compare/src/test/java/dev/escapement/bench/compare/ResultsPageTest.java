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
        for (Profile profile : List.of(Profile.LIGHT, Profile.OVERLOAD, Profile.UNEVEN)) {
            String shown = table(page, profile == Profile.LIGHT ? "light load" : profile.toString());
            assertThat(rows(shown)).hasSizeGreaterThan(5).isSubsetOf(measured(profile, shown));
        }
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

    @Test
    void shouldHaveTheLoopsOfTheLiteratureInTheirOrderAndTheServiceLast() {
        assertThat(Arrays.stream(Contestant.values()).map(contestant -> contestant.row))
                .startsWith("1", "1a", "2", "3", "3a", "4", "5", "5a", "5b", "6", "6a", "6b", "7", "8", "9", "10")
                .endsWith("-", "13", "13", "13", "13", "13", "13");
    }
}
