package dev.escapement.state.exchange;

/**
 * The numbers of a window's snapshots in one long, six bits each, the newest lowest. So a window passes from the writer to a
 * reader as one plain store: copying references instead would cost the garbage collector's barrier for each.
 */
final class PackedWindow {

    private static final int BITS = 6;
    private static final int MASK = (1 << BITS) - 1;

    /** Six bits number so many snapshots. */
    static final int MAX_SNAPSHOTS = 1 << BITS;

    /** A long holds so many numbers. */
    static final int MAX_SIZE = Long.SIZE / BITS;

    private PackedWindow() {}

    /** A window whose newest snapshot is {@code newest}, without the oldest one of before. */
    static long shiftIn(long packed, int newest, int size) {
        long all = -1L >>> (Long.SIZE - BITS * size);
        return ((packed << BITS) | newest) & all;
    }

    /** The number of the snapshot that is so many ticks older than the newest. */
    static int snapshot(long packed, int age) {
        return (int) (packed >>> (BITS * age)) & MASK;
    }
}
