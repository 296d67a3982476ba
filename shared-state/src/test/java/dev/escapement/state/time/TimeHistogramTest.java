package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the error of a percentile; {@code PhysicsStatsTest} compares buckets with those of HdrHistogram. */
class TimeHistogramTest {

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** Most durations share a bucket with the next ones, so the largest error of a bucket is met only at its first nanosecond. */
    @ParameterizedTest
    @ValueSource(ints = {16, 128, 1024})
    void shouldReportADurationWithLessThanItsShareMore(int resolution) {
        TimeHistogram histogram = new TimeHistogram(resolution);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 400; i++) {
            long nanos = (random.nextLong() >>> random.nextInt(28, Long.SIZE)) % (MINUTE_NANOS + 1);
            long width = Math.max(1, Long.highestOneBit(nanos) / resolution);
            for (long duration : new long[] {nanos, nanos - nanos % width}) {
                histogram.reset();
                histogram.record(duration);
                assertThat(histogram.count()).isEqualTo(1);
                assertThat(histogram.percentile(100))
                        .as("%d ns, whose share is at least the rest of its bucket", duration)
                        .isEqualTo(duration - duration % width + width - 1)
                        .isLessThanOrEqualTo(duration + duration / resolution);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-128, 8, 100, 2048})
    void shouldRefuseAResolutionThatIsNoPowerOfTwo(int bad) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeHistogram(bad))
                .withMessage("a resolution must be a power of two from 16 to 1024, such as 128, but is " + bad);
    }

    @Test
    void shouldAllocateNothingIfItIsPreallocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        record(new TimeHistogram(128));
        TimeHistogram other = TimeHistogram.preallocated(128);
        long before = threads.getCurrentThreadAllocatedBytes();
        int durations = record(other);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100); // one chunk has 160
        assertThat(other.count()).isEqualTo(durations).isGreaterThan(1_000);
    }

    private static int record(TimeHistogram into) {
        int durations = 0;
        for (long nanos = 1; nanos <= MINUTE_NANOS; nanos += Math.max(1, nanos / 150)) {
            into.record(nanos);
            durations++;
        }
        return durations;
    }
}
