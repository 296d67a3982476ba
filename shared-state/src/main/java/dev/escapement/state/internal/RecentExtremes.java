package dev.escapement.state.internal;

/**
 * The smallest and the largest of recent values, kept for ten slices of time. A new slice replaces the oldest one.
 *
 * <pre>{@code
 * RecentExtremes delays = new RecentExtremes(1_000_000_000);    // ten slices of a second
 * delays.add(nowNanos, delayNanos);
 * long worstNanos = delays.largest();
 * }</pre>
 *
 * <p>Not thread-safe. Allocates nothing after construction; each call takes a few comparisons.
 */
public final class RecentExtremes {

    private static final int SLICES = 10;

    private final long sliceNanos;
    private final long[] smallest = new long[SLICES];
    private final long[] largest = new long[SLICES];
    private int current;
    private long currentStartNanos;
    private boolean started;

    // The extremes of the current slice, stored in the arrays when it ends. Fields, because each publish of a tick adds
    // a value, and array accesses would make the publish a quarter longer.
    private long smallestOfCurrent = Long.MAX_VALUE;
    private long largestOfCurrent = Long.MIN_VALUE;

    private long smallestOfAll = Long.MAX_VALUE;
    private long largestOfAll = Long.MIN_VALUE;

    /**
     * Creates extremes without values.
     *
     * @param sliceNanos the length of a slice, positive
     */
    public RecentExtremes(long sliceNanos) {
        this.sliceNanos = sliceNanos;
    }

    /**
     * Adds a value.
     *
     * @param nowNanos the clock now, not before the last value
     * @param value    the value
     */
    public void add(long nowNanos, long value) {
        long elapsed = nowNanos - currentStartNanos;
        if (elapsed >= sliceNanos || !started) {
            advance(nowNanos, elapsed);
        }
        if (value < smallestOfCurrent) {
            smallestOfCurrent = value;
            smallestOfAll = Math.min(smallestOfAll, value);
        }
        if (value > largestOfCurrent) {
            largestOfCurrent = value;
            largestOfAll = Math.max(largestOfAll, value);
        }
    }

    /** {@return whether there is no value} */
    public boolean isEmpty() {
        return largestOfAll == Long.MIN_VALUE;
    }

    /** {@return the smallest value of the ten slices that end with the last value; {@link Long#MAX_VALUE} if there is none} */
    public long smallest() {
        return smallestOfAll;
    }

    /** {@return the largest value of the ten slices that end with the last value; {@link Long#MIN_VALUE} if there is none} */
    public long largest() {
        return largestOfAll;
    }

    private void advance(long nowNanos, long elapsed) {
        smallest[current] = smallestOfCurrent;
        largest[current] = largestOfCurrent;
        long slices = started ? Math.min(elapsed / sliceNanos, SLICES) : SLICES;
        for (long slice = 0; slice < slices; slice++) {
            current = (current + 1) % SLICES;
            smallest[current] = Long.MAX_VALUE;
            largest[current] = Long.MIN_VALUE;
        }
        currentStartNanos = slices < SLICES ? currentStartNanos + slices * sliceNanos : nowNanos;
        started = true;
        smallestOfCurrent = Long.MAX_VALUE;
        largestOfCurrent = Long.MIN_VALUE;
        smallestOfAll = Long.MAX_VALUE;
        largestOfAll = Long.MIN_VALUE;
        for (int slice = 0; slice < SLICES; slice++) {
            smallestOfAll = Math.min(smallestOfAll, smallest[slice]);
            largestOfAll = Math.max(largestOfAll, largest[slice]);
        }
    }
}
