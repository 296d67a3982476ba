package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The virtual clock gives the metrics of the results page, in all written digits, on every machine. */
class ResultsPageTest {

    private static final Path PAGE = Path.of("..", "results", "compare.md");

    /** The page shows all rows of the table of heavy steps, and some rows of the other tables. The checksum covers all rows. */
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

    /** Returns the rows without the blanks and bars that align their columns. */
    private static List<String> rows(String text) {
        return text.lines()
                .filter(line -> line.matches(" *(\\d+[abc]?|-)  +.*\\d.*"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void shouldNameEveryContestant() throws Exception {
        assertThat(Arrays.stream(Contestant.values())
                        .filter(who -> who != Contestant.SERVICE_2) // its row comes with the next
                        .filter(who -> !who.isForOverload()) // such contestants have their policies as names
                        .map(who -> "\n- **" + (who.row.equals("-") ? "" : who.row + " ") + who.title + "**: "))
                .allMatch(Files.readString(PAGE)::contains);
    }
}
