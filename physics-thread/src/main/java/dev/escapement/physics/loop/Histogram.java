package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.Distribution;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The buckets of a {@link Distribution}. They are as wide as in an HdrHistogram of two digits: one bucket a nanosecond up to 255 ns, beyond
 * that 128 buckets between two powers of two.
 *
 * <p>The physics thread records; any thread reads.
 */
final class Histogram implements Distribution {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Buckets in an octave, that is, from one power of two to the next; the lowest octave is 0 to 127 ns. */
    private static final int OCTAVE = 128;

    private static final int BUCKETS = bucketOf(MAX_NANOS) + 1;

    /**
     * Buckets are allocated in chunks of this size, on their first hit: all would take 31 kB, and the times of a service are similar, so
     * that they hit few.
     */
    private static final int CHUNK = 16;

    /** The counts of the buckets, in chunks; a chunk is null before its first hit. */
    private final AtomicReferenceArray<AtomicLongArray> chunks = new AtomicReferenceArray<>(BUCKETS / CHUNK + 1);

    private static int bucketOf(long nanos) {
        int octave = Long.SIZE - Long.numberOfLeadingZeros(nanos / OCTAVE);
        return octave * OCTAVE + (int) (nanos >>> shiftOf(octave)) % OCTAVE;
    }

    private static long firstNanosOf(int bucket) {
        int octave = bucket / OCTAVE;
        return (long) (octave == 0 ? bucket : OCTAVE + bucket % OCTAVE) << shiftOf(octave);
    }

    /** The logarithm, to base 2, of the width in nanoseconds of an octave's buckets. */
    private static int shiftOf(int octave) {
        return Math.max(0, octave - 1);
    }

    /**
     * Counts a time; a time beyond the range counts as the longest. Physics thread. Allocates 200 bytes when it hits the first bucket of a
     * chunk.
     */
    void record(long nanos) {
        int bucket = bucketOf(Math.min(MAX_NANOS, Math.max(0, nanos)));
        AtomicLongArray chunk = chunks.getPlain(bucket / CHUNK); // only this thread writes it
        if (chunk == null) {
            chunk = new AtomicLongArray(CHUNK);
            // Pairs with the acquire in countOf: a reader sees no half-built chunk.
            chunks.setRelease(bucket / CHUNK, chunk);
        }
        int at = bucket % CHUNK;
        chunk.setOpaque(at, chunk.getPlain(at) + 1); // no reader sees half of it; nothing else is ordered by it
    }

    private long countOf(int bucket) {
        AtomicLongArray chunk = chunks.getAcquire(bucket / CHUNK); // pairs with the release in record
        return chunk == null ? 0 : chunk.getOpaque(bucket % CHUNK);
    }

    @Override
    public long count() {
        long count = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            count += countOf(bucket);
        }
        return count;
    }

    @Override
    public long percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("a percentile must be 0 to 100, but is " + percent);
        }
        // One ulp less, so that rounding errors do not reach the next bucket.
        long wanted = Math.max(1, (long) Math.ceil(Math.nextDown(percent) * count() / 100));
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += countOf(bucket);
            if (seen >= wanted) {
                return firstNanosOf(bucket + 1) - 1; // the last nanosecond of the bucket
            }
        }
        return 0; // only if nothing was recorded, because counts never shrink
    }

    /** {@return the median and the 99th percentile in milliseconds} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f / %.3f", percentile(50) / 1e6, percentile(99) / 1e6);
    }
}
