package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.Comparison.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the virtual clock gives the figures of the page of results, bit for bit as far as they are written, on every machine. */
class ResultsPageTest {

    private static final Path PAGE = Path.of("..", "results", "compare.md");

    @Test
    void shouldHaveTheFiguresOfThePage() throws Exception {
        List<String> page = Files.readAllLines(PAGE);
        List<String> measured = new ArrayList<>(table(LoadProfile.HEAVY));
        assertThat(page).containsAll(measured);
        measured.addAll(table(LoadProfile.LIGHT));
        measured.addAll(table(LoadProfile.SPIKY));
        assertThat(page.stream().filter(line -> line.matches("\\| (\\d+[abc]?|-) +\\|.*")))
                .hasSizeGreaterThan(Contestant.values().length + 5)
                .allMatch(measured::contains);
    }

    private static List<String> table(LoadProfile load) {
        List<Result> results = Case.all().stream()
                .filter(run -> run.load() == load)
                .map(VirtualContest::measure)
                .toList();
        return ComparePage.text(results, load).lines().toList();
    }

    @Test
    void shouldHaveTheLoopsOfTheLiteratureInTheirOrderAndTheServiceLast() {
        assertThat(Arrays.stream(Contestant.values()).map(contestant -> contestant.row))
                .startsWith("1", "1a", "2", "3", "3a", "4", "5", "5a", "5b", "6", "6a", "6b", "6c", "7", "8", "9", "10")
                .endsWith("-", "13", "13", "13");
    }
}
