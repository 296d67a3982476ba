package dev.escapement.bench.measure;

/** When what happened in a tick was drawn first, recorded on the render thread. Read it when the loop is closed. */
final class ShownTicks {

    /** What a float may hide of a place on a floor, as a part of a tick. */
    private static final double RESOLUTION = 1.0 / 2_000;

    private static final int MAX_TICKS = 1_000_000;

    private final long[] firstCompletedNanos;
    private long firstTick;
    private int size;

    /** Makes room for about so many ticks; those after them are not recorded. */
    ShownTicks(double expectedTicks) {
        firstCompletedNanos = new long[(int) Math.min(MAX_TICKS, expectedTicks * 1.1 + 100)];
    }

    /**
     * Notes a frame.
     *
     * @param drawnTicks     the simulated time it shows, in ticks
     * @param completedNanos when its drawing was complete
     */
    void drawn(double drawnTicks, long completedNanos) {
        // Between two ticks the picture shows a part of what happened in the later one.
        long newest = (long) Math.ceil(drawnTicks - RESOLUTION);
        if (size == 0) {
            firstTick = newest;
        }
        while (firstTick + size <= newest && size < firstCompletedNanos.length) {
            firstCompletedNanos[size++] = completedNanos;
        }
    }

    boolean hasShown(long tick) {
        return tick >= firstTick && tick < firstTick + size;
    }

    long firstCompletedNanos(long tick) {
        return firstCompletedNanos[(int) (tick - firstTick)];
    }
}
