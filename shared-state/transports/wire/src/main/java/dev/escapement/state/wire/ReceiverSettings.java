package dev.escapement.state.wire;

/**
 * The bounds of a receiver.
 *
 * <pre>{@code
 * new ReceiverSettings(4, 100_000, 0.99)   // 4 readers, 100,000 bodies, 1 % of ticks may come too late
 * }</pre>
 *
 * @param maxReaders    the maximum number of readers attached at a time
 * @param maxBodies     the maximum number of slots of the world; packets with more are refused. Arrived ticks take at most 6.8 kB per slot,
 *                      without channels, and no more than 60 MB plus 3.4 kB for each byte and each slot that has arrived. Published
 *                      snapshots take 0.4 kB per slot, and 0.25 kB more for each of {@code maxReaders}
 * @param quantile      the share of ticks for which the receiver waits, by at most 250 ms; 0.5 to 1. A larger share makes the picture
 *                      older, a smaller one has more ticks predicted
 */
public record ReceiverSettings(int maxReaders, int maxBodies, double quantile) {

    /** The default: four readers, 100,000 bodies, 99 % of all ticks. */
    public static final ReceiverSettings DEFAULT = new ReceiverSettings(4, 100_000, 0.99);

    /**
     * Checks the bounds.
     *
     * @param maxReaders    the maximum number of readers attached at a time
     * @param maxBodies     the maximum number of slots of the world
     * @param quantile      the share of ticks for which the receiver waits
     * @throws IllegalArgumentException if a number is out of its range
     */
    public ReceiverSettings {
        if (maxReaders < 1 || maxBodies < 1 || !(quantile >= 0.5 && quantile <= 1)) {
            throw new IllegalArgumentException("a receiver needs at least 1 reader, 1 body, and a quantile of 0.5 to 1,"
                    + " but has " + maxReaders + ", " + maxBodies + " and " + quantile);
        }
    }
}
