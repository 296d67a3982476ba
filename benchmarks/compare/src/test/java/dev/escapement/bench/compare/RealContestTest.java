package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.demo.SpringSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That all kinds run on real threads, and what is measured of them; not how well they do, which is for a quiet machine. */
class RealContestTest {

    private static final int BODIES = 1500; // the scene's own bodies come to lie in the second block

    private final RealContest contest =
            new RealContest(new Crowd("springs", BODIES, () -> new SpringSimulation(BODIES)), 0, 1);

    @Test
    void shouldMeasureEachKindOfContestant() {
        List<Case> cases = Stream.of(
                        Contestant.ACCUMULATOR,
                        Contestant.VARIABLE_STEP,
                        Contestant.BY_ARRIVAL,
                        Contestant.FRAME_QUEUE,
                        Contestant.LOCK_AND_COPY,
                        Contestant.STEP_BESIDE_FRAME,
                        Contestant.SERVICE_3)
                .map(contestant -> new Case(contestant, LoadProfile.LIGHT, RefreshCase.FPS_144))
                .toList();
        List<Integer> told = new ArrayList<>();
        RealComparison comparison = contest.measureAll(cases, () -> told.add(told.size()));
        assertThat(told).hasSize(2 + cases.size());
        assertThat(comparison.crowd()).isEqualTo("springs");
        assertThat(comparison.results()).hasSameSizeAs(cases);
        for (int i = 0; i < cases.size(); i++) {
            RealResult result = comparison.results().get(i);
            assertThat(result.slot().contestant()).isEqualTo(cases.get(i).contestant());
            assertThat(result.slot().frames()).isBetween(2L, 144L);
            assertThat(result.slot().speed()).as("something moves").isPositive();
            assertThat(result.completionErrorMicros().mean()).isPositive();
        }
    }

    @Test
    void shouldFindNoErrorInAPictureThatIsRightByConstruction() {
        RealResult result = contest.measureAnalytic();
        assertThat(result.slot().errorMicros().max()).isZero();
        assertThat(result.completionErrorMicros().mean()).as("but jitter").isPositive();
    }

    @Test
    void shouldSelectTheServiceAndWhatItIsComparedWith() {
        assertThat(Case.selection())
                .contains(
                        new Case(Contestant.SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144),
                        new Case(Contestant.BY_ARRIVAL, LoadProfile.SPIKY, RefreshCase.FPS_144))
                .hasSize(13);
        assertThat(Case.all())
                .hasSize(LoadProfile.values().length * RefreshCase.values().length * Contestant.values().length)
                .containsAll(Case.selection());
    }
}
