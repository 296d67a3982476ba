package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PhysicsStatsTest {

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final PhysicsStats stats = new PhysicsStats();

    /** A process that was suspended for two minutes: the tick counts, as one of the longest that can be distinguished. */
    @Test
    void shouldCountWhatTakesLongerThanItsRange() {
        stats.ticked(times(0, 2 * MINUTE_NANOS, 4 * MINUTE_NANOS, 4 * MINUTE_NANOS));
        for (Histogram histogram : histograms()) {
            assertThat(histogram.getTotalCount()).isEqualTo(1);
            assertThat(histogram.getMaxValue()).isEqualTo(histogram.highestEquivalentValue(MINUTE_NANOS));
        }
    }

    @Test
    void shouldCountWhatIsBeforeItsTimeAsPunctual() {
        stats.ticked(times(3, 2, 1, 0));
        for (Histogram histogram : histograms()) {
            assertThat(histogram.getTotalCount()).isEqualTo(1);
            assertThat(histogram.getMaxValue()).isZero();
        }
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

    private static TickTimes times(long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        TickTimes times = new TickTimes();
        times.dueNanos = dueNanos;
        times.startedNanos = startedNanos;
        times.steppedNanos = steppedNanos;
        times.publishedNanos = publishedNanos;
        return times;
    }

    private Histogram[] histograms() {
        return new Histogram[] {stats.latenessNanos(), stats.stepNanos(), stats.publishDelayNanos()};
    }
}
