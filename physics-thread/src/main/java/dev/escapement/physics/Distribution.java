package dev.escapement.physics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.HdrHistogram.Histogram;

/**
 * How often each length of time was recorded, with the buckets of a {@link Histogram} of two digits: up to 255 ns one a nanosecond, beyond
 * that 128 between two powers of two. A histogram takes 31 kB for all of them. Here they are made sixteen at a time, when the first of them
 * is hit, because the times of a service are similar.
 *
 * <p>The physics thread records, any thread reads at any time; both are wait-free. Recording allocates only what it hits first.
 */
final class Distribution {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int SIGNIFICANT_DIGITS = 2;

    /** Buckets in an octave: between two powers of two, or below the first of those. */
    private static final int OCTAVE = 128;

    private static final int CHUNK = 16;

    /** The counts of the buckets, in chunks; null where none was hit. */
    private final AtomicReferenceArray<AtomicLongArray> chunks =
            new AtomicReferenceArray<>(bucketOf(MAX_NANOS) / CHUNK + 1);

    private static int bucketOf(long nanos) {
        int octave = Long.SIZE - Long.numberOfLeadingZeros(nanos / OCTAVE);
        return octave * OCTAVE + (int) (nanos >>> shiftOf(octave)) % OCTAVE;
    }

    private static long firstNanosOf(int bucket) {
        int octave = bucket / OCTAVE;
        return (long) (octave == 0 ? bucket : OCTAVE + bucket % OCTAVE) << shiftOf(octave);
    }

    /** By how many bits buckets of an octave are coarser than a nanosecond. */
    private static int shiftOf(int octave) {
        return Math.max(0, octave - 1);
    }

    /** Physics thread. What lies beyond the range counts as its end. */
    void record(long nanos) {
        int bucket = bucketOf(Math.min(MAX_NANOS, Math.max(0, nanos)));
        AtomicLongArray chunk = chunks.getPlain(bucket / CHUNK); // only this thread writes it
        if (chunk == null) {
            chunk = new AtomicLongArray(CHUNK);
            chunks.setRelease(bucket / CHUNK, chunk); // a reader sees it whole: pairs with the acquire in read
        }
        int at = bucket % CHUNK;
        chunk.setOpaque(at, chunk.getPlain(at) + 1); // no reader sees half of it; nothing else is ordered by it
    }

    /** A copy, the caller's own. Any thread. */
    Histogram read() {
        Histogram copy = new Histogram(1, MAX_NANOS, SIGNIFICANT_DIGITS);
        for (int c = 0; c < chunks.length(); c++) {
            AtomicLongArray chunk = chunks.getAcquire(c); // pairs with the release in record
            for (int at = 0; chunk != null && at < CHUNK; at++) {
                long count = chunk.getOpaque(at);
                if (count > 0) { // a count of 0 would move the minimum and the maximum
                    copy.recordValueWithCount(firstNanosOf(c * CHUNK + at), count);
                }
            }
        }
        return copy;
    }

    @Override
    public String toString() {
        Histogram nanos = read();
        return String.format(
                Locale.ROOT, "%.3f / %.3f", nanos.getValueAtPercentile(50) / 1e6, nanos.getValueAtPercentile(99) / 1e6);
    }
}
