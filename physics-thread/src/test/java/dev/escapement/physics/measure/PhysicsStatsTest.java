package dev.escapement.physics.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.schedule.TickSchedule;
import dev.escapement.physics.simulation.Distribution;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhysicsStatsTest {

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final TickSchedule schedule = new TickSchedule(TickRate.hertz(100), LateTicks.dilate(), 1);
    private final RunStats stats = new RunStats(schedule, "", 3, 8, false);

    /** A tick that starts before it is due is punctual; a process that was suspended for two minutes exceeds the range. */
    @Test
    void shouldBoundWhatTheRangeCannotHold() {
        ticked(new Times(3, 2, 1, 0));
        distributions().forEach(nanos -> assertThat(nanos.percentile(100)).isZero());
        ticked(new Times(0, 2 * MINUTE_NANOS, 4 * MINUTE_NANOS, 4 * MINUTE_NANOS));
        long longest = new Histogram(2).highestEquivalentValue(MINUTE_NANOS);
        distributions().forEach(nanos -> assertThat(nanos.percentile(100)).isEqualTo(longest));
        assertThat(stats.latenessNanos().count()).isEqualTo(2);
    }

    /** The statistics agree with HdrHistogram's buckets, and so have the same precision for all durations. */
    @Test
    void shouldCountAsAHistogramOfTwoDigitsDoes() {
        Histogram expected = new Histogram(1, MINUTE_NANOS, 2);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 500; i++) {
            long nanos = Math.min(MINUTE_NANOS, random.nextLong() >>> random.nextInt(28, Long.SIZE));
            ticked(new Times(0, nanos, nanos + i, nanos));
            expected.recordValue(nanos);
        }
        for (long nanos = 1; nanos <= MINUTE_NANOS; nanos *= 2) {
            for (long near = nanos - 1; near <= nanos + 1; near++) {
                ticked(new Times(0, near, near, near));
                expected.recordValue(near);
            }
        }
        assertThat(stats.stepNanos().count()).isEqualTo(expected.getTotalCount());
        for (Distribution nanos : List.of(stats.latenessNanos(), stats.publishDelayNanos())) {
            assertThat(nanos.count()).isEqualTo(expected.getTotalCount());
            for (HistogramIterationValue bucket : expected.recordedValues()) {
                double percent = bucket.getPercentileLevelIteratedTo();
                assertThat(nanos.percentile(percent)).isEqualTo(bucket.getValueIteratedTo());
                double more = Math.min(100, percent + 50.0 / expected.getTotalCount()); // half a value higher
                assertThat(nanos.percentile(more)).isEqualTo(expected.getValueAtPercentile(more));
            }
            assertThat(nanos.percentile(0)).isZero();
        }
    }

    @Test
    void shouldHaveNoPercentileButThoseOfAHundred() {
        Distribution none = stats.stepNanos();
        assertThat(none.percentile(50)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> none.percentile(100.1))
                .withMessageContaining("100.1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> none.percentile(Double.NaN))
                .withMessageContaining("must be 0 to 100, but is NaN");
    }

    @Test
    void shouldAdviseAWindowOfTheSpread() {
        stats.varied(28_000_000, 10_000_000);
        assertThat(stats.windowAdvice()).endsWith("windowSize(5)");
        assertThat(stats).asString().startsWith("p50 / p99 in ms: late ").endsWith(stats.windowAdvice());
        stats.varied(9_000_000, 10_000_000);
        assertThat(stats.windowAdvice()).isEmpty();
    }

    @Test
    void shouldSumWhatIsCountedElsewhere() {
        assertThat(stats.counts()).isEmpty();
        AtomicLong sent = new AtomicLong();
        stats.addCounts(() -> Map.of("sent", sent.get()));
        stats.addCounts(() -> Map.of("sent", 1L, "lost", 2L));
        sent.set(10);
        assertThat(stats.counts()).isEqualTo(Map.of("sent", 11L, "lost", 2L));
    }

    private record Times(long dueNanos, long startedNanos, long steppedNanos, long publishedNanos)
            implements TickHook.Times {

        @Override
        public long publishedTick() {
            return 1;
        }

        @Override
        public long simulationTick() {
            return 1;
        }

        @Override
        public long fromNanos() {
            return 0;
        }
    }

    private void ticked(Times times) {
        stats.ticked(times, 0, 0, 0, 0);
    }

    private List<Distribution> distributions() {
        return List.of(stats.latenessNanos(), stats.stepNanos(), stats.publishDelayNanos());
    }

    /** The text names the reference of a share: 0.71 of half the speed is 0.36 of real time. */
    @ParameterizedTest
    @CsvSource({"1, 14, 0.71 of real time", "2, 28, 0.71 of the requested speed", "2, 19,"})
    void shouldSayOfWhatSlowMotionIsAShare(long denominator, long workMillis, String share) {
        schedule.start(0, new TimeScale(1, denominator));
        for (int i = 0; i < 40; i++) {
            schedule.finish(schedule.nextDueNanos(), workMillis * 1_000_000);
        }
        stats.ticked(new Times(0, 0, 0, 0), 0, 100_000_000, 0, 0);
        assertThat(stats.windowAdvice()).as("of delays that vary by 100 ms").isNotEmpty();
        assertThat(stats.slowMotion())
                .isEqualTo(share == null ? "" : "Slow motion: " + share + ", because steps take " + workMillis + " ms");
        assertThat(stats.speed()).isEqualTo(schedule.recentFactor(), within(1e-6));
    }
}
