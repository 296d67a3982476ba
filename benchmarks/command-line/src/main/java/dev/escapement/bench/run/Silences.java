package dev.escapement.bench.run;

/** Sums up the silences of a stream, of a second or more each. One thread. */
final class Silences {

    private static final long LEAST_NANOS = 1_000_000_000L;

    private long silentNanos;
    private long endedNanos;
    private double endedAge;

    /** Takes how long the stream has been silent. Call it often: a silence between two calls is not seen. */
    void look(long nanos) {
        if (nanos < silentNanos) {
            endedNanos += lastingNanos();
            endedAge += age(lastingNanos());
        }
        silentNanos = nanos;
    }

    /** All silences, nanoseconds. */
    long nanos() {
        return endedNanos + lastingNanos();
    }

    /** The silence that still lasts, nanoseconds. */
    long lastingNanos() {
        return silentNanos >= LEAST_NANOS ? silentNanos : 0;
    }

    /**
     * The integral over time of how long the stream had been silent, seconds times seconds: divided by the seconds watched, it is how much
     * older the picture was on average.
     */
    double age() {
        return endedAge + age(lastingNanos());
    }

    private static double age(long nanos) {
        double seconds = nanos / 1e9;
        return seconds * seconds / 2;
    }
}
