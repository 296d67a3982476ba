package dev.escapement.bench.compare.picture;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;

/** How far a renderer that has the two latest snapshots goes from the one to the other. */
@FunctionalInterface
public interface AlphaRule {

    /**
     * Decides about a frame.
     *
     * @param window   the two latest snapshots
     * @param nowNanos when the frame begins
     * @return 0 for the earlier snapshot, 1 for the newest; more or less if the frame wants what is not there
     */
    double alpha(Window window, long nowNanos);

    /** The newest snapshot, and no other. */
    static AlphaRule newest() {
        return (window, nowNanos) -> 1;
    }

    /** By the time since the newest was published, as if all took equally long. */
    static AlphaRule byArrival() {
        return (window, nowNanos) -> (nowNanos - window.publishedNanos()) / periodNanos(window);
    }

    /** By when the snapshots were due, behind by a tick and this delay. */
    static AlphaRule byDueTime(long coverNanos) {
        return (window, nowNanos) -> ticksBeyondNewest(window, nowNanos - coverNanos);
    }

    /** Goes on beyond the newest snapshot as the one before it did. */
    static AlphaRule extrapolated() {
        return (window, nowNanos) -> 1 + ticksBeyondNewest(window, nowNanos);
    }

    private static double ticksBeyondNewest(Window window, long nanos) {
        TickRate rate = window.timeline().rate();
        return (window.timeline().simNanosAt(nanos) - rate.nanosAt(window.newestTick())) / periodNanos(window);
    }

    private static double periodNanos(Window window) {
        return window.timeline().rate().dtSeconds() * 1e9;
    }
}
