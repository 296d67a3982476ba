package dev.escapement.bench.soak;

import dev.escapement.bench.soak.StressReport.Distribution;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** What is measured of all ticks and frames, and of those since the last row of the report. */
final class Measures {

    private static final double MICROS = 1e3;
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Measure lateness = new Measure("lateness, us", MICROS);
    private final Measure publish = new Measure("publish delay, us", MICROS);
    private final Measure step = new Measure("step, us", MICROS);
    private final Measure age = new Measure("age of frames, us", MICROS);
    private final Measure uneven = new Measure("unevenness, p99 of each second, %", FrameStorm.UNEVEN_UNITS / 100);
    private long ticks;

    /** Any thread records, one reads. */
    private static final class Measure {

        final String name;
        final double unit;
        final Recorder recorder = new Recorder(2);
        final Histogram all = new Histogram(2);
        private @Nullable Histogram latest;

        Measure(String name, double unit) {
            this.name = name;
            this.unit = unit;
        }

        void record(long value) {
            recorder.recordValue(Math.max(0, Math.min(MAX_NANOS, value)));
        }

        /** Returns the p99 of what was recorded since the last call. */
        double take() {
            Histogram taken = recorder.getIntervalHistogram(latest);
            latest = taken;
            all.add(taken);
            return taken.getValueAtPercentile(99) / unit;
        }

        Distribution distribution() {
            return new Distribution(
                    name,
                    all.getValueAtPercentile(50) / unit,
                    all.getValueAtPercentile(99) / unit,
                    all.getValueAtPercentile(99.9) / unit,
                    all.getMaxValue() / unit);
        }
    }

    /** A row over the last second. */
    record Row(long ticks, double lateness, double publish, double age, double uneven) {}

    /** The thread that reads. */
    void tick(long latenessNanos, long publishNanos, long stepNanos) {
        ticks++;
        lateness.record(latenessNanos);
        publish.record(publishNanos);
        step.record(stepNanos);
    }

    /** For frames, by any thread. */
    Recorder age() {
        return age.recorder;
    }

    Recorder uneven() {
        return uneven.recorder;
    }

    /** What was recorded since the last call. */
    Row take() {
        Row row = new Row(ticks, lateness.take(), publish.take(), age.take(), uneven.take());
        step.take();
        ticks = 0;
        return row;
    }

    List<Distribution> distributions() {
        return List.of(
                lateness.distribution(),
                publish.distribution(),
                step.distribution(),
                age.distribution(),
                uneven.distribution());
    }
}
