package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.TickRecorder;
import java.util.concurrent.TimeUnit;

/**
 * How late the ticks of a run were, and what the thread that waits for them cost.
 *
 * @param ticks        how many were measured, at least 1
 * @param medianMicros lateness
 * @param p99Micros    lateness
 * @param maxMicros    lateness
 * @param corePercent  processor time as a share of one core, NaN where it is not known
 * @param bytesPerTick allocated, NaN where it is not known
 */
record Lateness(
        long ticks, double medianMicros, double p99Micros, double maxMicros, double corePercent, double bytesPerTick) {

    private static final int WARM_UP_PART = 5;

    Lateness {
        if (ticks < 1) {
            throw new IllegalStateException("no tick was measured, which shows nothing");
        }
    }

    /** A recorder for a run of so many seconds that leaves out the first fifth: threads start, margins are learned. */
    static TickRecorder recorder(int seconds) {
        return new TickRecorder(TimeUnit.SECONDS.toNanos(seconds) / WARM_UP_PART);
    }

    /** What was recorded, once nothing ticks any more. */
    static Lateness of(TickRecorder recorder) {
        Summary micros = recorder.lateness().summary();
        return new Lateness(
                recorder.lateness().histogram().getTotalCount(),
                micros.p50(),
                micros.p99(),
                micros.max(),
                recorder.corePercent(),
                recorder.allocatedBytesPerTick());
    }
}
