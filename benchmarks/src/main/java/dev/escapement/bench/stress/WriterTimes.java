package dev.escapement.bench.stress;

import dev.escapement.bench.handoff.Handoff;
import dev.escapement.bench.handoff.Poses;
import org.HdrHistogram.Histogram;

/** A writer that publishes at a steady rate and measures itself. One thread. */
final class WriterTimes {

    private static final long MAX_NANOS = 60_000_000_000L;

    final Histogram fillAndPublish = new Histogram(MAX_NANOS, 3);
    final Histogram publish = new Histogram(MAX_NANOS, 3);
    long refused;

    /** Publishes without a pause for so long. */
    void publishFor(Handoff handoff, long nanos) {
        long end = System.nanoTime() + nanos;
        int value = 0;
        long now;
        do {
            long start = System.nanoTime();
            Poses.fill(handoff.begin(), value++ & 0xFFFF);
            long filled = System.nanoTime();
            if (!handoff.publish()) {
                refused++;
            }
            now = System.nanoTime();
            publish.recordValue(Math.min(MAX_NANOS, now - filled));
            fillAndPublish.recordValue(Math.min(MAX_NANOS, now - start));
        } while (now - end < 0);
    }
}
