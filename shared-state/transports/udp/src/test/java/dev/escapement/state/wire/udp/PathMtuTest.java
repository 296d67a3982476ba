package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search alone, with instants that wrap. */
class PathMtuTest {

    private static final int MIN = 1176;
    private static final int MAX = 1300;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TRIP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PathMtu path = new PathMtu();
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);
    private long heardNanos = nowNanos;
    private int probes;

    PathMtuTest() {
        path.begin(nowNanos);
    }

    /** The other side answers probes that pass after a round trip, and is heard all the time. */
    private void run(long nanos, IntPredicate passes) {
        long answerNanos = 0;
        int answer = 0;
        for (long end = nowNanos + nanos; end - nowNanos > 0; nowNanos += STEP_NANOS) {
            if (answer > 0 && nowNanos - answerNanos >= 0) {
                path.probed(answer, nowNanos);
                answer = 0;
            }
            heardNanos = nowNanos;
            int bytes = path.probe(nowNanos, heardNanos, false);
            probes += bytes > 0 ? 1 : 0;
            if (bytes > 0 && passes.test(bytes)) {
                answer = bytes;
                answerNanos = nowNanos + TRIP_NANOS;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1176, 1177, 1191, 1208, 1228, 1250, 1284, 1299, 1300, 2000})
    void shouldFindWhatPassesAndThenBeSilent(int passing) {
        run(TimeUnit.SECONDS.toNanos(5), bytes -> bytes <= passing);
        assertThat(path.bytes()).isBetween(Math.min(passing, MAX) - 15, Math.min(passing, MAX));
        assertThat(probes).isLessThanOrEqualTo(12);
        run(TimeUnit.MINUTES.toNanos(9), bytes -> bytes <= passing);
        assertThat(probes).isLessThanOrEqualTo(12);
    }

    @Test
    void shouldNotEndTheSearchByProbesLostByChance() {
        run(TimeUnit.SECONDS.toNanos(5), bytes -> probes % 3 == 0);
        assertThat(path.bytes()).isEqualTo(MAX);
    }

    @Test
    void shouldProbeTheSameWhileNothingIsHeard() {
        for (int i = 0; i < 100; i++) {
            int bytes = path.probe(nowNanos, heardNanos, false);
            assertThat(bytes).isIn(0, MAX);
            nowNanos += TRIP_NANOS;
        }
        run(TimeUnit.SECONDS.toNanos(1), bytes -> true);
        assertThat(path.bytes()).isEqualTo(MAX);
    }

    @Test
    void shouldBeginAgainInABlackHole() {
        run(TimeUnit.SECONDS.toNanos(1), bytes -> true);
        assertThat(path.bytes()).isEqualTo(MAX);
        assertThat(path.probe(nowNanos, heardNanos, true)).isEqualTo(MAX);
        assertThat(path.bytes()).isEqualTo(MIN);
        run(TimeUnit.SECONDS.toNanos(5), bytes -> bytes <= 1228);
        assertThat(path.bytes()).isBetween(1213, 1228);
    }

    /** Otherwise each large packet of a far client would look lost. */
    @Test
    void shouldWaitForAnswersFromFarAway() {
        path.probe(nowNanos, heardNanos, false);
        assertThat(path.answerNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        path.probed(MAX, nowNanos + TimeUnit.MILLISECONDS.toNanos(600));
        assertThat(path.answerNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1200));
    }

    @Test
    void shouldGrowWithThePath() {
        run(TimeUnit.SECONDS.toNanos(5), bytes -> bytes <= 1228);
        run(TimeUnit.MINUTES.toNanos(11), bytes -> true);
        assertThat(path.bytes()).isEqualTo(MAX);
    }

    /** Answers that nobody asked for: forged, or of another search. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, MIN, 1238, MAX - 1, MAX + 1, 0x7FFF})
    void shouldIgnoreSizesThatAreNotProbed(int bytes) {
        path.probed(bytes, nowNanos);
        assertThat(path.probe(nowNanos, heardNanos, false)).isEqualTo(MAX);
        path.probed(bytes, nowNanos);
        assertThat(path.bytes()).isEqualTo(MIN);
    }

    /** Probes were lost for seconds: that says nothing of how long an answer takes. */
    @Test
    void shouldNotTakeAnOutageForALongWay() {
        PathMtu outage = new PathMtu();
        outage.begin(0);
        assertThat(outage.probe(0, 0, false)).isPositive();
        for (long milli = 250; milli < 4_250; milli += 250) {
            outage.probe(TimeUnit.MILLISECONDS.toNanos(milli), 1, false);
        }
        outage.probed(1300, TimeUnit.MILLISECONDS.toNanos(4_275));
        assertThat(outage.answerNanos()).isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(1_500));
    }

    @Test
    void shouldSendNoMoreProbesIfThePathChangesAgainAndAgain() {
        PathMtu changing = new PathMtu();
        int probes = 0;
        for (int milli = 0; milli < 1_000; milli++) {
            long nowNanos = TimeUnit.MILLISECONDS.toNanos(milli);
            changing.begin(nowNanos);
            probes += changing.probe(nowNanos, nowNanos, false) > 0 ? 1 : 0;
        }
        assertThat(probes).isBetween(3, 5);
    }
}
