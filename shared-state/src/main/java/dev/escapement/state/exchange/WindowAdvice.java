package dev.escapement.state.exchange;

import dev.escapement.state.time.Timeline;
import java.util.Locale;

/**
 * Advises the window size that hides the spread of publish delays.
 *
 * <pre>
 *   a window of K snapshots hides a spread of (K - 2) periods, less the reserve of a render clock
 *   spread = largest publish delay - smallest one
 * </pre>
 */
public final class WindowAdvice {

    /**
     * The time that a render clock keeps in reserve: the sum of its slack and its margin. {@link #sizeFor} counts at most a quarter of a
     * tick.
     */
    private static final long RESERVE_NANOS = 700_000;

    private WindowAdvice() {}

    private static int sizeFor(long spreadNanos, long periodNanos) {
        long hiddenNanos = spreadNanos + Math.min(RESERVE_NANOS, periodNanos / 4);
        return (int) Math.min(Integer.MAX_VALUE, 2 + (hiddenNanos + periodNanos - 1) / periodNanos);
    }

    /**
     * {@return a sentence that names a sufficient window size if publish delays vary by more than a window hides; else empty}
     *
     * @param window the window of a reader
     */
    public static String of(Window window) {
        if (window.largestDelayNanos() == Long.MIN_VALUE) {
            return "";
        }
        Timeline timeline = window.timeline();
        long tick = window.newestTick();
        return of(
                window.largestDelayNanos() - window.smallestDelayNanos(),
                timeline.dueNanos(tick + 1) - timeline.dueNanos(tick),
                window.size(),
                window.maxReaders());
    }

    /**
     * {@return a sentence for people, without a full stop, that names a sufficient window size; empty if windows hide the spread} A spread
     * below half a tick needs no advice.
     *
     * @param spreadNanos the spread of publish delays
     * @param periodNanos the length of a tick, positive
     * @param windowSize  the snapshots of a window
     * @param maxReaders  the maximum of readers at a time
     */
    public static String of(long spreadNanos, long periodNanos, int windowSize, int maxReaders) {
        int size = sizeFor(spreadNanos, periodNanos);
        if (size <= windowSize || spreadNanos < periodNanos / 2) {
            return "";
        }
        String spread = "Publish delays vary by "
                + (spreadNanos < 10_000_000
                        ? String.format(Locale.ROOT, "%.1f", spreadNanos / 1e6)
                        : Math.round(spreadNanos / 1e6))
                + " ms; ";
        if (size > Window.MAX_SIZE) {
            return spread + "not even windows of " + Window.MAX_SIZE + " snapshots, the most, would hide it";
        }
        int readers = SnapshotExchange.maxReaders(size);
        return spread + "windows of " + size + " snapshots would hide it: windowSize(" + size + ")"
                + (maxReaders <= readers ? "" : " with maxReaders(" + readers + ") instead of " + maxReaders);
    }
}
