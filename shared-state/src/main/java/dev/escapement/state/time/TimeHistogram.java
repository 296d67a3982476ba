package dev.escapement.state.time;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A histogram of durations from 0 to a minute, in nanoseconds.
 *
 * <p>A resolution of 128 has the buckets of an HdrHistogram of two digits: one bucket a nanosecond up to 255 ns, beyond that 128 buckets
 * between two powers of two. A percentile is the last nanosecond of its bucket. So it is exact up to 255 ns, and above the recorded
 * duration by less than 1/128 of it, that is, 0.8%. A resolution of 1024 stands for three digits, that is, 0.1%.
 *
 * <p>One thread records and resets; any thread reads. No method waits.
 */
public class TimeHistogram {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * Buckets are allocated in chunks of this size, on their first hit: all would take 40 kB for 128, and the times of a service are
     * similar, so that they hit few.
     */
    private static final int CHUNK = 16;

    /**
     * The logarithm, to base 2, of the buckets in an octave, that is, from one power of two to the next. The lowest octave has all below
     * the resolution.
     */
    private final int octaveShift;

    private final int buckets;

    /** The counts of the buckets, in chunks; a chunk is null before its first hit. */
    private final AtomicReferenceArray<AtomicLongArray> chunks;

    /**
     * Creates an empty histogram, which allocates buckets as {@link #record} hits them.
     *
     * @param resolution the buckets between two powers of two, a power of two from 16 to 1024
     * @throws IllegalArgumentException if it is none
     */
    public TimeHistogram(int resolution) {
        if (resolution < CHUNK || resolution > 1024 || Integer.bitCount(resolution) != 1) {
            throw new IllegalArgumentException(
                    "a resolution must be a power of two from 16 to 1024, such as 128, but is " + resolution);
        }
        octaveShift = Integer.numberOfTrailingZeros(resolution);
        buckets = bucketOf(MAX_NANOS) + 1;
        chunks = new AtomicReferenceArray<>((buckets - 1) / CHUNK + 1);
    }

    /**
     * {@return an empty histogram with all buckets, so that {@link #record} allocates nothing} It has 40 kB for 128, 280 kB for 1024.
     *
     * @param resolution as in the constructor
     */
    public static TimeHistogram preallocated(int resolution) {
        TimeHistogram histogram = new TimeHistogram(resolution);
        for (int bucket = 0; bucket < histogram.buckets; bucket += CHUNK) {
            histogram.allocate(bucket);
        }
        return histogram;
    }

    private int bucketOf(long nanos) {
        int octave = Long.SIZE - Long.numberOfLeadingZeros(nanos >> octaveShift);
        return (octave << octaveShift) + (int) (nanos >> widthShift(octave)) % (1 << octaveShift);
    }

    private long firstNanosOf(int bucket) {
        int octave = bucket >> octaveShift;
        int inOctave = bucket % (1 << octaveShift);
        return (long) (octave == 0 ? bucket : (1 << octaveShift) + inOctave) << widthShift(octave);
    }

    /** The logarithm, to base 2, of the width in nanoseconds of an octave's buckets. */
    private static int widthShift(int octave) {
        return Math.max(0, octave - 1);
    }

    /**
     * Counts a duration. Allocates 160 bytes when it hits the first bucket of a chunk.
     *
     * @param nanos counts as 0 if it is negative, and as a minute if it is longer
     */
    public final void record(long nanos) {
        int bucket = bucketOf(Math.min(MAX_NANOS, Math.max(0, nanos)));
        AtomicLongArray chunk = chunks.getPlain(bucket / CHUNK); // only this thread writes it
        if (chunk == null) {
            chunk = allocate(bucket);
        }
        int at = bucket % CHUNK;
        chunk.setOpaque(at, chunk.getPlain(at) + 1); // no reader sees half of it; nothing else is ordered by it
    }

    private AtomicLongArray allocate(int bucket) {
        AtomicLongArray chunk = new AtomicLongArray(CHUNK);
        chunks.setRelease(
                bucket / CHUNK, chunk); // pairs with the acquire in countOf: a reader sees no half-built chunk
        return chunk;
    }

    /** Sets all counts to 0, and keeps the buckets. A thread that reads meanwhile may still see some of the counts. */
    public final void reset() {
        for (int bucket = 0; bucket < buckets; bucket++) {
            AtomicLongArray chunk = chunks.getPlain(bucket / CHUNK);
            if (chunk != null) {
                chunk.setOpaque(bucket % CHUNK, 0);
            }
        }
    }

    private long countOf(int bucket) {
        AtomicLongArray chunk = chunks.getAcquire(bucket / CHUNK); // pairs with the release in record
        return chunk == null ? 0 : chunk.getOpaque(bucket % CHUNK);
    }

    /** {@return the number of recorded durations} */
    public final long count() {
        long count = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            count += countOf(bucket);
        }
        return count;
    }

    /**
     * {@return the nanoseconds that a share of all recorded durations does not exceed; 0 if none was recorded}
     *
     * @param percent the share, 0 to 100: 50 for the median, 100 for the longest duration
     * @throws IllegalArgumentException if it is out of that range
     */
    public final long percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("a percentile must be 0 to 100, but is " + percent);
        }
        // One ulp less, so that rounding errors do not reach the next bucket.
        long wanted = Math.max(1, (long) Math.ceil(Math.nextDown(percent) * count() / 100));
        long seen = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            seen += countOf(bucket);
            if (seen >= wanted) {
                return firstNanosOf(bucket + 1) - 1; // the last nanosecond of the bucket
            }
        }
        return 0; // only if nothing was recorded, or the recording thread resets meanwhile
    }

    /** {@return the median and the 99th percentile in milliseconds} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f / %.3f", percentile(50) / 1e6, percentile(99) / 1e6);
    }
}
