package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that the virtual clock gives the metrics of the results page on every machine, in all digits that the page shows. */
class ResultsPageTest {

    private static final Path PAGE = Path.of("..", "results", "compare.md");

    /**
     * The page shows all rows of the table of heavy steps, but not all rows of the other tables. The checksum therefore covers all rows.
     */
    @ParameterizedTest
    @CsvSource({"HEAVY, -1245918809", "LIGHT, 994872006", "OVERLOAD, -855734643", "UNEVEN, 863993190"})
    void shouldHaveTheMetricsOfThePage(Profile profile, int checksum) throws Exception {
        String page = Files.readString(PAGE);
        boolean isLoad = profile == Profile.HEAVY || profile == Profile.LIGHT;
        List<String> shown = rows(table(page, profile + (isLoad ? " load" : "")));
        List<String> all = measured(profile);
        assertThat(shown).hasSizeGreaterThan(5).isSubsetOf(all);
        assertThat(String.join("\n", all).hashCode())
                .as("all rows of %s", profile)
                .isEqualTo(checksum);
        assertThat(profile != Profile.HEAVY || shown.equals(all)).isTrue();
    }

    private static String table(String page, String header) {
        String row = "row  " + header + "  ";
        assertThat(page).contains(row);
        return page.substring(page.indexOf(row), page.indexOf("```", page.indexOf(row)));
    }

    private static List<String> measured(Profile profile) {
        List<Result> results = Case.all().parallelStream()
                .filter(run -> profile.loads().contains(run.load()))
                .map(VirtualContest::measure)
                .toList();
        return rows(CompareTable.text(results, profile));
    }

    private static List<String> rows(String text) {
        return text.lines()
                .filter(line -> line.matches(" *(\\d+[abc]?|-)  +.*\\d.*"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void shouldNameEveryContestant() throws Exception {
        assertThat(Arrays.stream(Contestant.values())
                        .filter(who -> who != Contestant.SERVICE_2) // the entry of SERVICE_3 also describes SERVICE_2
                        .filter(who -> !who.isForOverload()) // the page has no entry for these variants of SERVICE_3
                        .map(who -> "\n- **" + (who.row.equals("-") ? "" : who.row + " ") + who.title + "**: "))
                .allMatch(Files.readString(PAGE)::contains);
    }
}
