package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.render.interpolation.Interpolation.Positions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What people and machines get to see of known results. */
class CompareReportTest {

    private static final String REAL = "on real threads";
    private static final List<AgeCurve.Point> AHEAD = List.of(new AgeCurve.Point(
            Motions.ROLLING,
            LoadProfile.HEAVY,
            Positions.LINEAR,
            1,
            15.4,
            0.001,
            0.002,
            0.3,
            4.7,
            131,
            1.8,
            0.2,
            3.3,
            146,
            183,
            3));

    @Test
    void shouldHaveARowForEverybodyWithinTheWidthOfAScreen() {
        List<String> lines =
                CompareTables.text(everybody(), LoadProfile.HEAVY).lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= 155, "within 155 columns");
        List<String> names = lines.stream()
                .filter(line -> line.startsWith("|") && !line.contains("heavy load"))
                .map(line -> line.split("\\|", -1)[2].strip())
                .toList();
        assertThat(names)
                .containsExactlyElementsOf(Arrays.stream(Contestant.values())
                        .map(Contestant::title)
                        .toList());
        assertThat(CompareTables.LEGEND.lines()).allMatch(line -> line.length() <= 150, "within 150 columns");
    }

    @Test
    void shouldShowTheFiguresInMilliseconds() {
        Result at60 = result(Contestant.BY_ARRIVAL, RefreshCase.FPS_60, 1111, 21_000.0);
        Result at144 = result(Contestant.BY_ARRIVAL, RefreshCase.FPS_144, 2222, 21_000.0);
        String table = CompareTables.text(List.of(at60, at144), LoadProfile.HEAVY);
        assertThat(table.lines().filter(line -> line.contains("by arrival")).map(line -> line.split("\\s*\\|\\s*", -1)))
                .containsExactly(new String[] {
                    "",
                    "-",
                    "two latest by arrival",
                    "1.111",
                    "2.222",
                    "-",
                    "-",
                    "6.666",
                    "144",
                    "1,234",
                    "5",
                    "21.0",
                    "1.000",
                    "8",
                    "7",
                    "yes",
                    ""
                });
        assertThat(CompareTables.text(List.of(at60, at144), LoadProfile.LIGHT)).doesNotContain("by arrival");
    }

    @Test
    void shouldShowNoAgeOfAWorldThatDoesNotKeepTime() {
        Result at144 = result(Contestant.FRAME_LOCKED, RefreshCase.FPS_144, 2222, null);
        String table = CompareTables.text(List.of(at144), LoadProfile.HEAVY);
        assertThat(table.lines().filter(line -> line.contains("tick per frame")))
                .singleElement()
                .satisfies(row -> assertThat(row.split("\\|", -1)[11].strip()).isEqualTo("-"));
    }

    @Test
    void shouldGradeWhatIsSeen() {
        assertThat(CompareTables.error(199).mark()).isEqualTo("good");
        assertThat(CompareTables.error(200).mark()).isEmpty();
        assertThat(CompareTables.error(2000).mark()).isEqualTo("bad");
    }

    @Test
    void shouldShowRealThreadsBesideTheVirtualClock() {
        RealResult newest = new RealResult(
                result(Contestant.NEWEST, RefreshCase.FPS_144, 4321, 17_000.0),
                new Summary(5432, 0, 0, 0, 0),
                new Summary(6543, 0, 0, 0, 0),
                98);
        RealComparison real = new RealComparison(
                "a crowd", 3, 6, "a JVM", new Summary(123, 0, 0, 0, 0), 4, 1, 0, 30, List.of(newest));
        assertThat(CompareTables.REAL.text(real.results()))
                .contains("newest")
                .contains("4.321")
                .contains("5.432")
                .contains("6.543");
        assertThat(CompareTables.realLegend(real)).contains("a crowd").contains("has 0.123 there");
        assertThat(CompareTables.REAL.text(real.results()).lines())
                .allMatch(line -> line.length() <= 150, "within 150 columns");
        String with = ComparePage.html(Comparison.of(everybody(), AHEAD, real));
        String without = ComparePage.html(Comparison.of(everybody(), AHEAD, null));
        assertThat(with)
                .contains(REAL)
                .contains("4.321")
                .contains("4 ticks given up: 1 because ticks took too long, 3 while it was away");
        assertThat(without).doesNotContain(REAL).doesNotContain("4.321");
        JsonObject json = JsonParser.parseString(JsonFile.text(Comparison.of(everybody(), AHEAD, real)))
                .getAsJsonObject();
        assertThat(json.getAsJsonObject("onRealThreads").getAsJsonArray("results"))
                .hasSize(1);
    }

    @Test
    void shouldTellEverythingOnThePage() {
        String page = ComparePage.html(Comparison.of(everybody(), AHEAD, null));
        for (Contestant contestant : Contestant.values()) {
            assertThat(page).contains(contestant.whatItIs().replace("'", "&#39;"));
            assertThat(page).contains(contestant.whatGoesWrong().replace("'", "&#39;"));
        }
        assertThat(page)
                .contains(LoadProfile.HEAVY.says())
                .contains("loop of most engines moves the picture wrongly by 3.00 ms a frame")
                .contains("Escapement by 3.00 ms.");
        assertThat(page.split("<canvas", -1)).as("one plot per question").hasSize(1 + 6);
        assertThat(page).as("needs no other file").doesNotContain("src=\"http", "href=\"http", "<link");
        assertThat(page.length()).as("no page above 2 MB").isLessThan(2_000_000);
    }

    @Test
    void shouldSayWhoIsMissing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ComparePage.html(Comparison.of(List.of(), List.of(), null)))
                .withMessage("the page needs accumulator under heavy load, which did not run");
    }

    @Test
    void shouldNameJsonAsPeopleDo() {
        JsonObject file = JsonParser.parseString(JsonFile.text(Comparison.of(everybody(), AHEAD, null)))
                .getAsJsonObject();
        assertThat(file.getAsJsonArray("contestants")).hasSize(Contestant.values().length);
        JsonObject first = file.getAsJsonArray("onVirtualClock").get(0).getAsJsonObject();
        assertThat(first.get("contestant").getAsString()).isEqualTo("frame_locked");
        assertThat(first.get("load").getAsString()).isEqualTo("heavy");
        assertThat(first.get("refresh").getAsString()).isEqualTo("60 fps");
        assertThat(first.getAsJsonObject("errorMicros").get("mean").getAsDouble())
                .isEqualTo(3000);
        assertThat(file.getAsJsonObject("loads").get("heavy").getAsString()).isEqualTo("1 to 8 ms a step");
    }

    @Test
    void shouldWriteTheKnownKeys() {
        RealResult result = new RealResult(
                result(Contestant.NEWEST, RefreshCase.FPS_144, 4321, 17_000.0),
                new Summary(5432, 0, 0, 0, 0),
                new Summary(6543, 0, 0, 0, 0),
                98);
        RealComparison real = new RealComparison(
                "a crowd", 3, 6, "a JVM", new Summary(123, 0, 0, 0, 0), 4, 1, 0, 30, List.of(result));
        Comparison withAge =
                Comparison.of(List.of(result(Contestant.NEWEST, RefreshCase.FPS_144, 4321, 17_000.0)), AHEAD, real);
        assertThat(JsonKeys.of(JsonFile.text(withAge))).isEqualTo(JsonKeys.listed("""
                        contestants
                        contestants[].contestant
                        contestants[].row
                        contestants[].whatGoesWrong
                        contestants[].whatItIs
                        loads
                        loads.heavy
                        loads.light
                        loads.spiky
                        lookAhead
                        lookAhead[].ageMillis
                        lookAhead[].belowFloorMillimetres
                        lookAhead[].framesBelowFloor
                        lookAhead[].load
                        lookAhead[].lookAheadTicks
                        lookAhead[].mostTicks
                        lookAhead[].motion
                        lookAhead[].positionMillimetres
                        lookAhead[].positionMost
                        lookAhead[].positionP99
                        lookAhead[].predictor
                        lookAhead[].rotationMilliradians
                        lookAhead[].rotationMost
                        lookAhead[].rotationP99
                        lookAhead[].timeErrorMillis
                        lookAhead[].timeErrorP99Millis
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

    private static List<Result> everybody() {
        List<Result> results = new ArrayList<>();
        for (LoadProfile load : new LoadProfile[] {LoadProfile.HEAVY, LoadProfile.LIGHT}) {
            for (Contestant contestant : Contestant.values()) {
                for (RefreshCase refresh : RefreshCase.values()) {
                    results.add(result(contestant, load, refresh, 3000, 21_000.0));
                }
            }
        }
        return results;
    }

    private static Result result(
            Contestant contestant, RefreshCase refresh, double errorMicros, @Nullable Double behindMicros) {
        return result(contestant, LoadProfile.HEAVY, refresh, errorMicros, behindMicros);
    }

    private static Result result(
            Contestant contestant,
            LoadProfile load,
            RefreshCase refresh,
            double errorMicros,
            @Nullable Double behindMicros) {
        Summary behind = behindMicros == null ? null : new Summary(behindMicros, 0, 25_000, 0, 0);
        return new Result(
                contestant,
                load,
                refresh,
                2880,
                144,
                new Summary(errorMicros, 0, 6666, 0, 0),
                1234,
                5,
                behind,
                1,
                7,
                new Summary(900, 0, 1500, 0, 8400),
                0);
    }
}
