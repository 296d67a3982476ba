package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.machine.Lateness.Load;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenessTest {

    @Test
    void shouldTakeThePercentilesAndMeasureTheEndFromThatOfAnUndisturbedStep() {
        Histogram started = nanos(LongStream.rangeClosed(1, 100).map(i -> 1000 * i));
        Histogram ended = nanos(LongStream.rangeClosed(1, 100).map(i -> 200_000 + 2000 * i));

        assertThat(Arrays.stream(Lateness.ofRun(200, started, ended)).mapToLong(Math::round))
                .containsExactly(50L, 90L, 99L, 100L, 180L, 198L);
    }

    @Test
    void shouldTakeNoEndForEarly() {
        Histogram ended = nanos(LongStream.of(199_000));

        assertThat(Lateness.ofRun(200, ended, ended)).endsWith(0.0, 0.0, 0.0);
    }

    @Test
    void shouldTakeTheMedianOverTheRunsOfEachDurationByItself() {
        Lateness median = Lateness.median(
                Load.BUSY,
                WayToTick.POLICY,
                1500,
                List.of(new double[] {1, 1, 1, 60, 60, 60}, new double[] {3, 3, 3, 50, 50, 50}, new double[] {
                    2, 2, 2, 40, 40, 40
                }));

        assertThat(median).isEqualTo(row(WayToTick.POLICY, 2, 50));
    }

    @Test
    void shouldWriteARowUnderTheNamesThatPeopleSee() {
        assertThat(JsonFile.tree(row(WayToTick.CYCLICTEST_PRIORITY, 1, 2)).toString())
                .isEqualTo("{\"load\":\"busy\",\"way\":\"cyclictest+priority\",\"stepMicros\":1500,"
                        + "\"p50\":1.0,\"p90\":1.0,\"p99\":1.0,\"endP50\":2.0,\"endP90\":2.0,\"endP99\":2.0}");
    }

    @Test
    void shouldNameWhoDelaysTicksAndThePolicyThatHelpsAndNoneIfNoneDoes() {
        Lateness late = row(WayToTick.ESCAPEMENT, 9, 5000);
        assertThat(busyFinding(late, row(WayToTick.POLICY, 9, 300), row(WayToTick.PRIORITY, 9, 40)))
                .extracting(Finding::grade, Finding::means)
                .containsExactly(
                        Grade.FAIR,
                        "other programs had the core (75 %), the JVM paused (25 %); escapement+priority helps: 40.0 us p99");
        assertThat(busyFinding(late, row(WayToTick.POLICY, 9, 300)).means())
                .endsWith("; escapement+policy helps: 300.0 us p99");
        assertThat(busyFinding(late, row(WayToTick.POLICY, 9, 6000)).means()).contains("; no policy helps");
        assertThat(busyFinding(row(WayToTick.ESCAPEMENT, 9, 100)).grade()).isEqualTo(Grade.GOOD);
    }

    @Test
    void shouldSayWhatIsNotMeasuredAndTheCommandThatGrantsIt() {
        ThreadGrants refused =
                ThreadGrants.of(List.of(new Grant("priority 10", Outcome.REFUSED, "prlimit --rtprio=10")));

        assertThat(Ladder.asked(WayToTick.PRIORITY, refused))
                .isEqualTo(new Finding(
                        "escapement+priority",
                        "not measured",
                        Grade.FAIR,
                        "priority 10 refused (prlimit --rtprio=10)"));
    }

    private static Finding busyFinding(Lateness... busy) {
        Lateness quiet = new Lateness(Load.QUIET, WayToTick.ESCAPEMENT, 200, 1, 1, 1, 1, 1, 1);
        return Ladder.findings(
                        Stream.concat(Stream.of(quiet), Arrays.stream(busy)).toList(),
                        Map.of(Load.BUSY, new TakenTime(0, 3, 1, 0)))
                .get(1);
    }

    private static Lateness row(WayToTick way, double start, double end) {
        return new Lateness(Load.BUSY, way, 1500, start, start, start, end, end, end);
    }

    private static Histogram nanos(LongStream values) {
        Histogram nanos = new Histogram(5);
        values.forEach(nanos::recordValue);
        return nanos;
    }
}
