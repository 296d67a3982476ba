package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.report.JsonFile;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That all kinds run on real threads, not how well they do, which is for a quiet machine; and what people and machines get to see. */
class CompareReportTest {

    private static final List<Case> CASES = Stream.of(
                    Contestant.ACCUMULATOR,
                    Contestant.FRAME_QUEUE,
                    Contestant.LOCK_AND_COPY,
                    Contestant.STEP_BESIDE_FRAME,
                    Contestant.SERVICE_3)
            .map(contestant -> new Case(contestant, LoadProfile.LIGHT, RefreshCase.FPS_144))
            .toList();

    @Test
    void shouldShowRealThreadsBesideTheVirtualClock() {
        RealComparison real = new RealContest(0, 1).measureAll(CASES, () -> {});
        assertThat(real.results())
                .extracting(Result::contestant)
                .containsExactlyElementsOf(CASES.stream().map(Case::contestant).toList());
        assertThat(real.results()).allMatch(result -> result.frames() >= 2 && result.frames() <= 145);
        assertThat(real.results()).allMatch(result -> result.speed() > 0, "something moves");

        Result virtual = VirtualContest.measure(CASES.get(0));
        Comparison comparison = new Comparison(List.of(virtual), real);
        String page = ComparePage.html(comparison);
        for (Contestant contestant : Contestant.values()) {
            assertThat(page).contains(contestant.whatItIs.replace("'", "&#39;"));
            assertThat(page).contains(contestant.whatGoesWrong.replace("'", "&#39;"));
        }
        assertThat(page).contains("on real threads", LoadProfile.LIGHT.says(), "Each for 1 s", "Machine: ");
        assertThat(page).as("needs no other file").doesNotContain("src=\"http", "href=\"http", "<link");
        assertThat(ComparePage.html(new Comparison(List.of(virtual), null))).doesNotContain("on real threads");
        assertThat(JsonKeys.of(JsonFile.text(comparison)))
                .contains("onRealThreads.machineVerdict", "onRealThreads.results[].errorMicros.p99");
    }

    @Test
    void shouldWriteTheKnownKeys() {
        Result result = VirtualContest.measure(CASES.get(0));
        String json = JsonFile.text(new Comparison(List.of(result), null));
        assertThat(json).contains("\"accumulator\"", "\"light\"", "\"144 fps\"");
        assertThat(JsonKeys.of(json)).isEqualTo(JsonKeys.listed("""
                        onVirtualClock
                        onVirtualClock[].belowFloorMillimetres
                        onVirtualClock[].contestant
                        onVirtualClock[].errorMicros: Summary
                        onVirtualClock[].frames
                        onVirtualClock[].framesPerSecond
                        onVirtualClock[].load
                        onVirtualClock[].lookBehindMicros: Summary
                        onVirtualClock[].positionMicrometres: Summary
                        onVirtualClock[].refresh
                        onVirtualClock[].repeatsPer10000
                        onVirtualClock[].skipsPer10000
                        onVirtualClock[].speed"""));
    }

    @Test
    void shouldRefuseToTellOfNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new RealContest(1, 0).measureAll(CASES, () -> {}))
                .withMessageStartingWith("service_3 was measured for ");
    }

    @Test
    void shouldGradeWhatIsSeen() {
        assertThat(ComparePage.error(199).mark()).isEqualTo("good");
        assertThat(ComparePage.error(200).mark()).isEmpty();
        assertThat(ComparePage.error(2000).mark()).isEqualTo("bad");
    }

    @Test
    void shouldSelectTheServiceAndWhatItIsComparedWith() {
        assertThat(Case.selection())
                .contains(
                        new Case(Contestant.SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144),
                        new Case(Contestant.BY_ARRIVAL, LoadProfile.SPIKY, RefreshCase.FPS_144))
                .hasSize(13);
    }
}
