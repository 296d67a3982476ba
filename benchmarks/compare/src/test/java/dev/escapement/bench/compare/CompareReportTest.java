package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.report.JsonFile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people and machines get to see. */
class CompareReportTest {

    private static final List<Result> RESULTS = Arrays.stream(RefreshCase.values())
            .map(refresh -> VirtualContest.measure(new Case(Contestant.ACCUMULATOR, LoadProfile.LIGHT, refresh)))
            .toList();

    @Test
    void shouldSayWhoIsWho() {
        String page = ComparePage.html(RESULTS);
        for (Contestant contestant : Contestant.values()) {
            assertThat(page).contains(contestant.whatItIs.replace("'", "&#39;"));
            assertThat(page).contains(contestant.whatGoesWrong.replace("'", "&#39;"));
        }
        assertThat(page).contains(LoadProfile.LIGHT.says()).doesNotContain(LoadProfile.HEAVY.says());
        assertThat(page).as("needs no other file").doesNotContain("src=\"http", "href=\"http", "<link");
    }

    @Test
    void shouldWriteTheKnownKeys() {
        String json = JsonFile.text(Map.of("onVirtualClock", RESULTS));
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
    void shouldGradeWhatIsSeen() {
        assertThat(ComparePage.error(199).mark()).isEqualTo("good");
        assertThat(ComparePage.error(200).mark()).isEmpty();
        assertThat(ComparePage.error(2000).mark()).isEqualTo("bad");
    }
}
