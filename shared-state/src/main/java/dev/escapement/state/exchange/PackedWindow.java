package dev.escapement.state.exchange;

/**
 * Packs the numbers of a window's snapshots into one long, six bits each, the newest in the lowest bits. So the writer fills a window with
 * one plain store; copying references would cost a garbage collector barrier for each.
 */
final class PackedWindow {

    private static final int BITS = 6;
    private static final int MASK = (1 << BITS) - 1;

    /** The number of snapshots that six bits can tell apart. */
    static final int MAX_SNAPSHOTS = 1 << BITS;

    /** The number of snapshots that fit one long. */
    static final int MAX_SIZE = Long.SIZE / BITS;

    private PackedWindow() {}

    /** Adds a newest snapshot, and drops the oldest one of a window that was full. */
    static long shiftIn(long packed, int newest, int size) {
        long all = -1L >>> (Long.SIZE - BITS * size);
        return ((packed << BITS) | newest) & all;
    }

    /** The number of the snapshot that is {@code age} ticks older than the newest one. */
    static int snapshot(long packed, int age) {
        return (int) (packed >>> (BITS * age)) & MASK;
    }
}
