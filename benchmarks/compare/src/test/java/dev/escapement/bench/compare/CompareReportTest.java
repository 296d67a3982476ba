package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.JsonFile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people and machines get to see of known results. */
class CompareReportTest {

    private static final String REAL = "on real threads";

    @Test
    void shouldGradeWhatIsSeen() {
        assertThat(CompareTables.error(199).mark()).isEqualTo("good");
        assertThat(CompareTables.error(200).mark()).isEmpty();
        assertThat(CompareTables.error(2000).mark()).isEqualTo("bad");
    }

    @Test
    void shouldShowRealThreadsBesideTheVirtualClock() {
        RealComparison real = onRealThreads();
        assertThat(CompareTables.REAL.text(real.results()))
                .contains("newest")
                .contains("4.321")
                .contains("5.432")
                .contains("6.543");
        assertThat(CompareTables.realLegend(real)).contains("a crowd").contains("has 0.123 there");
        assertThat(CompareTables.REAL.text(real.results()).lines())
                .allMatch(line -> line.length() <= 150, "within 150 columns");
        String with = ComparePage.html(Comparison.of(everybody(), real));
        String without = ComparePage.html(Comparison.of(everybody(), null));
        assertThat(with)
                .contains(REAL)
                .contains("4.321")
                .contains("4 ticks given up: 1 because ticks took too long, 3 while it was away");
        assertThat(without).doesNotContain(REAL).doesNotContain("4.321");
    }

    @Test
    void shouldTellEverythingOnThePage() {
        String page = ComparePage.html(Comparison.of(everybody(), null));
        for (Contestant contestant : Contestant.values()) {
            assertThat(page).contains(contestant.whatItIs.replace("'", "&#39;"));
            assertThat(page).contains(contestant.whatGoesWrong.replace("'", "&#39;"));
        }
        assertThat(page).contains(LoadProfile.HEAVY.says()).contains("depend on the frame rate. K:");
        assertThat(page.split("<canvas", -1)).as("one plot per question").hasSize(1 + 2);
        assertThat(page).as("needs no other file").doesNotContain("src=\"http", "href=\"http", "<link");
        assertThat(page.length()).as("no page above 2 MB").isLessThan(2_000_000);
    }

    @Test
    void shouldNameJsonAsPeopleDo() {
        JsonObject file = JsonParser.parseString(JsonFile.text(Comparison.of(everybody(), null)))
                .getAsJsonObject();
        assertThat(file.getAsJsonArray("contestants")).hasSize(Contestant.values().length);
        JsonObject first = file.getAsJsonArray("onVirtualClock").get(0).getAsJsonObject();
        assertThat(first.get("contestant").getAsString()).isEqualTo("frame_locked");
        assertThat(first.get("load").getAsString()).isEqualTo("light");
        assertThat(first.get("refresh").getAsString()).isEqualTo("60 fps");
        assertThat(first.getAsJsonObject("errorMicros").get("mean").getAsDouble())
                .isEqualTo(3000);
        assertThat(file.getAsJsonObject("loads").get("heavy").getAsString()).isEqualTo("1 to 8 ms a step");
    }

    @Test
    void shouldWriteTheKnownKeys() {
        Comparison comparison = Comparison.of(everybody(), onRealThreads());
        assertThat(JsonKeys.of(JsonFile.text(comparison))).isEqualTo(JsonKeys.listed("""
                        contestants
                        contestants[].contestant
                        contestants[].row
                        contestants[].whatGoesWrong
                        contestants[].whatItIs
                        loads
                        loads.heavy
                        loads.light
                        loads.spiky
                        measuredSeconds
                        onRealThreads
                        onRealThreads.analyticCompletionMicros: Summary
                        onRealThreads.crowd
                        onRealThreads.givenUpTicks
                        onRealThreads.java
                        onRealThreads.machineAwayMillis
                        onRealThreads.measuredSeconds
                        onRealThreads.results
                        onRealThreads.results[].completionErrorMicros: Summary
                        onRealThreads.results[].displayedErrorMicros: Summary
                        onRealThreads.results[].missedSlots
                        onRealThreads.results[].slot
                        onRealThreads.results[].slot.belowFloorMillimetres
                        onRealThreads.results[].slot.contestant
                        onRealThreads.results[].slot.errorMicros: Summary
                        onRealThreads.results[].slot.frames
                        onRealThreads.results[].slot.framesPerSecond
                        onRealThreads.results[].slot.holds
                        onRealThreads.results[].slot.load
                        onRealThreads.results[].slot.lookBehindMicros: Summary
                        onRealThreads.results[].slot.positionMicrometres: Summary
                        onRealThreads.results[].slot.refresh
                        onRealThreads.results[].slot.repeatsPer10000
                        onRealThreads.results[].slot.skipsPer10000
                        onRealThreads.results[].slot.speed
                        onRealThreads.slowGivenUpTicks
                        onRealThreads.unexplainedGivenUpTicks
                        onRealThreads.warmUpSeconds
                        onVirtualClock
                        onVirtualClock[].belowFloorMillimetres
                        onVirtualClock[].contestant
                        onVirtualClock[].errorMicros: Summary
                        onVirtualClock[].frames
                        onVirtualClock[].framesPerSecond
                        onVirtualClock[].holds
                        onVirtualClock[].load
                        onVirtualClock[].lookBehindMicros: Summary
                        onVirtualClock[].positionMicrometres: Summary
                        onVirtualClock[].refresh
                        onVirtualClock[].repeatsPer10000
                        onVirtualClock[].skipsPer10000
                        onVirtualClock[].speed
                        warmUpSeconds"""));
    }

    private static RealComparison onRealThreads() {
        RealResult newest = new RealResult(
                result(new Case(Contestant.NEWEST, LoadProfile.HEAVY, RefreshCase.FPS_144), 4321),
                new Summary(5432, 0, 0, 0, 0),
                new Summary(6543, 0, 0, 0, 0),
                98);
        return new RealComparison("a crowd", 3, 6, "a JVM", new Summary(123, 0, 0, 0, 0), 4, 1, 0, 30, List.of(newest));
    }

    private static List<Result> everybody() {
        return Case.all().stream().map(run -> result(run, 3000)).toList();
    }

    private static Result result(Case run, double errorMicros) {
        return new Result(
                run.contestant(),
                run.load(),
                run.refresh(),
                2880,
                144,
                new Summary(errorMicros, 0, 6666, 0, 0),
                1234,
                5,
                new Summary(21_000, 0, 25_000, 0, 0),
                1,
                7,
                new Summary(900, 0, 1500, 0, 8400),
                0);
    }
}
