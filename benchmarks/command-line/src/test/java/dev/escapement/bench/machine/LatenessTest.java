package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.machine.Finding.Grade;
import dev.escapement.bench.machine.Lateness.Load;
import dev.escapement.bench.machine.Lateness.Trace;
import dev.escapement.bench.report.JsonFile;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LatenessTest {

    private static final long DUE = 1_000_000_000;

    @Test
    void shouldMeasureTheStartFromTheDueTimeAndTheEndFromThatOfAnUndisturbedStep() {
        Trace trace = new Trace(1500, 0);
        trace.ticked(1, DUE, DUE + 20_000, DUE + 1_530_000, DUE + 9_000_000);

        Lateness row = Lateness.of(Load.BUSY, WayToTick.POLICY, 1500, trace.starts(), trace.ends());

        assertThat(Math.round(row.p50())).isEqualTo(20);
        assertThat(Math.round(row.endP99())).isEqualTo(30);
    }

    @Test
    void shouldLeaveOutTheWarmUp() {
        Trace trace = new Trace(200, 10_000_000);
        trace.ticked(1, DUE, DUE + 5_000_000, DUE + 5_200_000, DUE + 5_200_000);
        trace.ticked(2, DUE + 9_999_999, DUE + 15_000_000, DUE + 15_200_000, DUE + 15_200_000);
        trace.ticked(3, DUE + 10_000_000, DUE + 10_007_000, DUE + 10_207_000, DUE + 10_207_000);

        Lateness row = Lateness.of(Load.QUIET, WayToTick.ESCAPEMENT, 200, trace.starts(), trace.ends());

        assertThat(row.p99()).isBetween(6.9, 7.1);
        assertThat(row.endP99()).isBetween(6.9, 7.1);
    }

    @Test
    void shouldTakeThePercentilesOfAllTicks() {
        Trace trace = new Trace(0, 0);
        for (long i = 1; i <= 100; i++) {
            trace.ticked(i, DUE, DUE + 1000 * i, DUE + 2000 * i, DUE);
        }

        Lateness row = Lateness.of(Load.QUIET, WayToTick.ESCAPEMENT, 0, trace.starts(), trace.ends());

        assertThat(List.of(row.p50(), row.p90(), row.p99(), row.endP50(), row.endP90(), row.endP99()))
                .extracting(Math::round)
                .containsExactly(50L, 90L, 99L, 100L, 180L, 198L);
    }

    @Test
    void shouldTakeTheMedianOverTheRunsOfEachNumberByItself() {
        Lateness median = Lateness.median(
                List.of(row(WayToTick.POLICY, 1, 60), row(WayToTick.POLICY, 3, 50), row(WayToTick.POLICY, 2, 40)));

        assertThat(median).isEqualTo(row(WayToTick.POLICY, 2, 50));
    }

    @Test
    void shouldWriteARowUnderTheNamesThatPeopleSee() {
        assertThat(JsonFile.tree(row(WayToTick.CYCLICTEST_PRIORITY, 1, 2)).toString())
                .isEqualTo("{\"load\":\"busy\",\"way\":\"cyclictest+priority\",\"stepMicros\":1500,"
                        + "\"p50\":1.0,\"p90\":1.0,\"p99\":1.0,\"endP50\":2.0,\"endP90\":2.0,\"endP99\":2.0}");
    }

    @Test
    void shouldNameThePolicyThatHelpsAndNoneIfNoneDoes() {
        Lateness late = row(WayToTick.ESCAPEMENT, 9, 5000);
        assertThat(busyFinding(late, row(WayToTick.POLICY, 9, 300), row(WayToTick.REAL_TIME, 9, 40)))
                .satisfies(finding -> assertThat(finding.grade()).isEqualTo(Grade.FAIR))
                .extracting(Finding::means)
                .asString()
                .contains("ThreadPolicy.realTime()", "escapement+realtime 40.0 us");
        assertThat(busyFinding(late, row(WayToTick.POLICY, 9, 300)).means()).contains("escapement+policy 300.0 us");
        assertThat(busyFinding(late, row(WayToTick.POLICY, 9, 6000)).means()).startsWith("no policy helps");
        assertThat(busyFinding(row(WayToTick.ESCAPEMENT, 9, 100)).grade()).isEqualTo(Grade.GOOD);
    }

    private static Finding busyFinding(Lateness... busy) {
        Lateness quiet = new Lateness(Load.QUIET, WayToTick.ESCAPEMENT, 200, 1, 1, 1, 1, 1, 1);
        List<Finding> findings = Ladder.findings(
                Stream.concat(Stream.of(quiet), Arrays.stream(busy)).toList());
        return findings.get(1);
    }

    private static Lateness row(WayToTick way, double start, double end) {
        return new Lateness(Load.BUSY, way, 1500, start, start, start, end, end, end);
    }
}
