package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.escapement.bench.measure.Distribution.Summary;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunResultTest {

    private static final String HELD = """
            {"ticks": 1000, "expectedTicks": 1003, "skippedTicks": 3, "inputsOffered": 9,
             "inputsAccepted": 7, "inputsRejected": 2, "inputsApplied": 6, "inputsPending": 1, "failure": "",
             "picture": {"windowsChecked": 7, "renderer": "", "fps": 1000}}""";

    private static final JsonElement EVEN = new Gson().toJsonTree(new Summary(7000, 7000, 7000, 7000, 7000));

    private static final Set<String> OF_THE_PICTURE =
            Set.of("tornSnapshots", "nonConsecutiveWindows", "misplacedFrames", "uncountedRepeats", "windowsChecked");

    @Test
    void shouldHaveNoFaultWhereEveryPromiseHeld() {
        assertThat(with("ticks", 1000).faults()).isEmpty();
        assertThat(with("expectedTicks", 1004).faults()).as("within one").isEmpty();
    }

    @Test
    void shouldReportAFailureAndARecordingThatEndedEarly() {
        RunResult result =
                read(held(Map.of("failure", "it threw", "recording", Map.of("failure", "disk full"))), RunResult.class);
        assertThat(result.faults()).containsExactly("the run ended early: it threw", "disk full");
    }

    @ParameterizedTest
    @CsvSource({
        "tornSnapshots, 1, 1 snapshots were torn",
        "nonConsecutiveWindows, 2, 2 windows had a gap",
        "misplacedFrames, 3, 3 frames showed another time than their clock said",
        "uncountedRepeats, 4, 4 frames repeated the previous one without being counted as holds",
        "expectedTicks, 1005, 1000 ticks and 3 skipped are not the expected 1005",
        "inputsApplied, 5, '7 inputs accepted are not 5 applied, 1 pending and 0 while time stood still'",
        "inputsWhilePaused, 3, '7 inputs accepted are not 6 applied, 1 pending and 3 while time stood still'",
        "inputsOffered, 10, 10 inputs offered are not 7 accepted and 2 rejected",
        "windowsChecked, 0, '1000 ticks ran and 0 windows were checked, which shows nothing'",
    })
    void shouldReportEachBrokenPromise(String key, long value, String fault) {
        assertThat(with(key, value).faults()).containsExactly(fault);
    }

    /** The column {@code lost}: milliseconds lost to ticks, to other processes, to the JVM, and to unknown causes, of a run of 10 s. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0  | 0,0,0,0     | kept up: ticks started 0.08 ms late at the 99th percentile.
            0  | 3200,0,0,0  | 3.20 s of 10 s after the warm-up was lost: ticks took too long themselves. Try --bodies 500.
            18 | 10,150,0,20 | 180.00 ms of 10 s after the warm-up was lost: no core was free (83 %), \
            not known (11 %), ticks took too long themselves (6 %). Skipped from the start: 18 of 1,018 ticks. \
            Close other programs, or leave it a core.
            20 | 40,0,160,0  | 200.00 ms of 10 s after the warm-up was lost: the JVM paused (80 %), \
            ticks took too long themselves (20 %). Skipped from the start: 20 of 1,020 ticks. \
            Allocate less, or choose a collector with short pauses (-XX:+UseZGC).
            2  | 0,0,0,0     | kept up after the warm-up: ticks started 0.08 ms late at the 99th percentile. \
            Skipped at the start: 2 of 1,002 ticks.
            0  | 0,0,0,0,10  | late, why is not known: ticks started 10.00 ms late at the 99th percentile.
            """)
    void shouldSayWhoTookTheTimeAndWhatToDo(long skipped, String lost, String verdict) {
        JsonObject json = held(Map.of("skippedTicks", skipped, "seconds", 10, "bodies", 1000, "tickHz", 100));
        double[] millis =
                Stream.of(lost.split(",")).mapToDouble(Double::parseDouble).toArray();
        json.addProperty("lostToTicksMillis", millis[0]);
        json.addProperty("lostToOthersMillis", millis[1]);
        json.addProperty("lostToJvmMillis", millis[2]);
        json.addProperty("lostUnexplainedMillis", millis[3]);
        double late = millis.length > 4 ? 1e3 * millis[4] : 80;
        json.add("tickLatenessMicros", new Gson().toJsonTree(new Summary(10, 10, late, late, late)));
        json.add("stepMicros", new Gson().toJsonTree(new Summary(12_000, 12_000, 20_000, 20_000, 20_000)));
        assertThat(read(json, RunResult.class).machineVerdict()).isEqualTo("Machine: " + verdict);
    }

    /**
     * The columns: 99th percentile of the animation error in microseconds, unevenness in %, missed frames, slowed ticks, and the cause to
     * which 100 ms were lost.
     */
    @ParameterizedTest
    @CsvSource({
        "199, 0, 10, 0, '', Smooth.",
        "201, 0, 10, 0, '', Not quite smooth: why is not known.",
        "201, 0, 10, 0, waitedMillis, Not quite smooth: no core was free.",
        "0, 5.1, 10, 0, lostToTicksMillis, Not quite smooth: steps took too long.",
        "0, 51, 10, 0, lostToOthersMillis, Uneven: no core was free.",
        "0, 0, 101, 0, '', Uneven: why is not known.",
        "0, 0, 101, 0, pausedMillis, Uneven: the JVM paused.",
        "0, 0, 101, 0, waitedMillis, Uneven: no core was free.",
        "0, 0, 101, 0, renderer, 'Uneven: the processor draws, not a graphics card.'",
        "0, 51, 101, 0, lostToTicksMillis, Uneven: steps took too long.",
        "0, 51, 10, 250, lostToTicksMillis, 'Uneven, in slow motion: steps took too long.'",
        "0, 0, 10, 250, lostUnexplainedMillis, Slow motion: why is not known.",
    })
    void shouldSummarizeThePictureInNineWords(
            double p99, double uneven, long missed, long slowed, String lost, String headline) {
        JsonObject json = held(Map.of("skippedTicks", 0, "slowedTicks", slowed, "seconds", 4));
        JsonObject picture = json.getAsJsonObject("picture");
        if (lost.equals("renderer")) {
            picture.addProperty(lost, "llvmpipe 19");
        } else if (!lost.isEmpty()) {
            (lost.equals("waitedMillis") ? picture : json).addProperty(lost, 100);
        }
        picture.addProperty("frames", 1000 - missed);
        picture.add("frameIntervalMicros", EVEN);
        picture.addProperty("missedFrameSlots", missed);
        picture.addProperty("missedAfterWarmUp", missed);
        picture.add("slotErrorMicros", new Gson().toJsonTree(new Summary(9, 9, p99, p99, p99)));
        picture.addProperty("unevennessP99Percent", uneven);
        RunResult result = read(json, RunResult.class);
        assertThat(result.headline()).isEqualTo(headline);
        assertThat(result.lateFrames().isEmpty()).isEqualTo(missed < 101);
        assertThat(result.lateFrames().endsWith("; OpenGL is llvmpipe 19.")).isEqualTo(lost.equals("renderer"));
        assertThat(headline.split(" ")).hasSizeLessThan(10);
    }

    @Test
    void shouldBlameNothingForFramesOfTheWarmUp() {
        JsonObject json = held(Map.of("seconds", 1, "warmUpSeconds", 2));
        JsonObject picture = json.getAsJsonObject("picture");
        assertThat(read(json, RunResult.class).lateFrames())
                .as("ended within the warm-up")
                .isEmpty();
        picture.addProperty("missedFrameSlots", 500);
        picture.addProperty("frames", 500);
        assertThat(read(json, RunResult.class).lateFrames()).isEqualTo("Frames came late: why is not known.");
    }

    @Test
    void shouldReportForHowLongNothingCame() {
        JsonObject json = held(Map.of("ticks", 100, "ageMillis", 3212.8, "silentSecondsAtEnd", 8));
        assertThat(read(json, WatchResult.class).networkVerdict())
                .isEqualTo("Network: nothing came for the last 8.0 s; 0 of 0 packets lost, 0 of 100"
                        + " ticks filled; while ticks came, the picture was 3,212.8 ms old on average.");
        json.addProperty("silentSecondsAtEnd", 0);
        assertThat(read(json, WatchResult.class).networkVerdict()).startsWith("Network: 0 of 0 packets");
    }

    private static RunResult with(String key, long value) {
        JsonObject json = held(Map.of());
        (OF_THE_PICTURE.contains(key) ? json.getAsJsonObject("picture") : json).addProperty(key, value);
        return read(json, RunResult.class);
    }

    private static JsonObject held(Map<String, Object> but) {
        JsonObject json = read(HELD, JsonObject.class);
        but.forEach((key, value) -> json.add(key, new Gson().toJsonTree(value)));
        return json;
    }

    private static <T> T read(Object json, Class<T> as) {
        return new Gson().fromJson(json.toString(), as);
    }
}
