package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.report.JsonFile;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompareReportTest {

    private static final List<Result> RESULTS = Arrays.stream(RefreshCase.values())
            .map(refresh -> VirtualContest.measure(new Case(Contestant.ACCUMULATOR, LoadProfile.LIGHT, refresh)))
            .toList();

    /** One contestant has results for two rates only, as if Ctrl-C had ended the runs. */
    @Test
    void shouldShowOnlyWhoWasMeasuredAtEveryRate() {
        assertThat(CompareTable.text(RESULTS, Profile.LIGHT)).contains("6    accumulator");
        assertThat(CompareTable.text(RESULTS.subList(1, RESULTS.size()), Profile.LIGHT))
                .contains("light load")
                .doesNotContain("accumulator");
    }

    @Test
    void shouldEndWithAVerdict() {
        List<Result> results = Stream.of(Contestant.SERVICE_3, Contestant.ACCUMULATOR, Contestant.TWO_BY_DUE)
                .map(each -> VirtualContest.measure(new Case(each, LoadProfile.HEAVY, RefreshCase.FPS_144)))
                .toList();
        assertThat(CompareTable.verdict(results, Profile.HEAVY))
                .hasValue(
                        "Verdict at 144 fps: Escapement's picture is 0.0 % uneven, the usual accumulator's 31.4 %, and"
                                + " that of the best other that keeps real time, two latest by due time, 6.3 %.");
        assertThat(CompareTable.verdict(RESULTS, Profile.LIGHT))
                .as("Escapement did not run")
                .isEmpty();
        assertThat(CompareTable.verdict(List.of(results.get(0), results.get(2)), Profile.HEAVY))
                .as("the accumulator did not run")
                .isEmpty();
        List<Result> oneLoad = Stream.of(Contestant.SERVICE_3, Contestant.ACCUMULATOR, Contestant.TWO_BY_DUE)
                .map(each -> VirtualContest.measure(new Case(each, LoadProfile.STEPS_11_MS, RefreshCase.FPS_144)))
                .toList();
        assertThat(CompareTable.verdict(oneLoad, Profile.OVERLOAD))
                .as("most loads did not run")
                .isEmpty();
    }

    /** Users' scripts read the JSON file, so its keys must not change. */
    @Test
    void shouldWriteTheKnownKeys() {
        JsonObject row = JsonParser.parseString(JsonFile.text(new CompareCommand.Json(RESULTS)))
                .getAsJsonObject()
                .getAsJsonArray("onVirtualClock")
                .get(0)
                .getAsJsonObject();
        assertThat(row.get("contestant").getAsString()).isEqualTo("accumulator");
        assertThat(row.get("load").getAsString()).isEqualTo("light");
        assertThat(row.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        List.of(("abruptFrames belowFloorMillimetres contestant errorMicros"
                                        + " frames framesPerSecond load lookBehindMicros positionMicrometres refresh"
                                        + " repeatsPer10000 skipsPer10000 speed standingFrames unevennessP99Percent"
                                        + " unevennessPercent")
                                .split(" ", -1)));
        assertThat(row.getAsJsonObject("errorMicros").keySet())
                .containsExactlyInAnyOrder("mean", "p50", "p99", "p999", "max");
    }
}
