package dev.escapement.state.wire;

/**
 * Bounds of a receiver.
 *
 * <pre>{@code
 * new ReceiverSettings(4, 100_000, 0.99)   // 4 readers, 100,000 bodies, 1 % of ticks may come too late
 * }</pre>
 *
 * @param maxReaders    how many readers may be attached at a time
 * @param maxBodies     how many slots the world may have; packets with more are refused. What has arrived takes at most 6.8 kB
 *                      for each, without channels, and no more than 60 MB and 3.4 kB for each byte and each slot that has arrived. What
 *                      is shown takes 0.4 kB for each, and 0.25 kB more for each of {@code maxReaders}
 * @param quantile      the share of ticks that is waited for, by at most 250 ms, 0.5 to 1: more makes the picture older, less has more
 *                      ticks predicted
 */
public record ReceiverSettings(int maxReaders, int maxBodies, double quantile) {

    /** Four readers, 100,000 bodies, 99 % of all ticks. */
    public static final ReceiverSettings DEFAULT = new ReceiverSettings(4, 100_000, 0.99);

    /**
     * Checks the bounds.
     *
     * @param maxReaders    how many readers may be attached at a time
     * @param maxBodies     how many slots the world may have
     * @param quantile      the share of ticks that is waited for
     * @throws IllegalArgumentException if a number is out of its range
     */
    public ReceiverSettings {
        if (maxReaders < 1 || maxBodies < 1 || !(quantile >= 0.5 && quantile <= 1)) {
            throw new IllegalArgumentException("a receiver needs at least 1 reader, 1 body, and a quantile of 0.5 to 1,"
                    + " but has " + maxReaders + ", " + maxBodies + " and " + quantile);
        }
    }
}
