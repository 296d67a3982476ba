package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.report.JsonFile;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The output for people and for programs. */
class CompareReportTest {

    private static final List<Result> RESULTS = Arrays.stream(RefreshCase.values())
            .map(refresh -> VirtualContest.measure(new Case(Contestant.ACCUMULATOR, LoadProfile.LIGHT, refresh)))
            .toList();

    /** The first run has been measured at two rates only, as after Ctrl-C. */
    @Test
    void shouldShowOnlyWhoWasMeasuredAtEveryRate() {
        assertThat(CompareTable.text(RESULTS, Profile.LIGHT)).contains("6    accumulator");
        assertThat(CompareTable.text(RESULTS.subList(1, RESULTS.size()), Profile.LIGHT))
                .contains("light load")
                .doesNotContain("accumulator");
    }

    @Test
    void shouldWriteTheKnownKeys() {
        String json = JsonFile.text(new CompareCommand.Json(RESULTS));
        assertThat(json).contains("\"accumulator\"", "\"light\"", "\"144 fps\"");
        assertThat(JsonKeys.of(json)).isEqualTo(JsonKeys.listed("""
                        onVirtualClock
                        onVirtualClock[].abruptFrames
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
                        onVirtualClock[].speed
                        onVirtualClock[].standingFrames
                        onVirtualClock[].unevennessP99Percent
                        onVirtualClock[].unevennessPercent"""));
    }
}
