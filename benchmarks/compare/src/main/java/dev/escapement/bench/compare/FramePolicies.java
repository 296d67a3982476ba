package dev.escapement.bench.compare;

import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.gameloop.FramePolicy;
import dev.escapement.state.time.TickRate;

/**
 * Policies that decide how much time a frame simulates, for those loops of the comparison that the library does not offer. Each object
 * belongs to one frame clock.
 */
final class FramePolicies {

    private FramePolicies() {}

    /**
     * Releases at most {@code maxTicks} ticks per frame and skips the rest. With 8 ticks at 120 Hz, a frame after a stall of 1 s simulates
     * 1/15 s and loses the rest, and no burst of ticks follows. Peers in a network must not lose ticks, and use {@link
     * Accumulator#WITHOUT_LOSS} instead.
     */
    record CappedTicks(TickRate rate, int maxTicks) implements FramePolicy {

        @Override
        public long release(long releasedNanos, long elapsedNanos) {
            long maxNanos = rate.nanosAt(rate.tickAt(releasedNanos) + maxTicks) - releasedNanos;
            return Math.min(elapsedNanos, maxNanos);
        }
    }

    /**
     * Ticks at absolute times. If a frame took too long, the next one runs {@code maxTicks} ticks and leaves exactly one tick due, so that
     * blending draws the end of the last tick (alpha 1) and not a later time. The loop must run ticks with the same maximum.
     */
    static final class AbsoluteTicks implements FramePolicy {

        private final TickRate rate;
        private final int maxTicks;
        private long ticksRun;

        AbsoluteTicks(TickRate rate, int maxTicks) {
            this.rate = rate;
            this.maxTicks = maxTicks;
        }

        @Override
        public long release(long releasedNanos, long elapsedNanos) {
            ticksRun = Math.min(rate.tickAt(releasedNanos), ticksRun + maxTicks);
            return Math.min(elapsedNanos, rate.nanosAt(ticksRun + maxTicks + 1) - releasedNanos);
        }
    }

    /**
     * Releases whole periods of the display, because a picture is shown for whole periods; the next frame gets the fraction of a period
     * that remains. A frame releases at most {@code maxPeriods} and skips the rest.
     */
    static final class RefreshQuantised implements FramePolicy {

        private final TickRate refresh;
        private final int maxPeriods;
        private long countedNanos;
        private long periodsSeen;
        private long periodsReleased;

        RefreshQuantised(TickRate refresh, int maxPeriods) {
            this.refresh = refresh;
            this.maxPeriods = maxPeriods;
        }

        @Override
        public long release(long releasedNanos, long elapsedNanos) {
            countedNanos += elapsedNanos;
            long periods = refresh.tickAt(countedNanos) - periodsSeen;
            long before = periodsReleased;
            periodsSeen += periods;
            periodsReleased += Math.min(periods, maxPeriods);
            return refresh.nanosAt(periodsReleased) - refresh.nanosAt(before);
        }
    }
}
