package dev.escapement.bench.compare;

import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.gameloop.FramePolicy;
import dev.escapement.state.time.TickRate;

/** Policies of game loops that exist only for the comparison. Each object belongs to one frame clock. */
final class FramePolicies {

    private FramePolicies() {}

    /**
     * Releases a bounded number of ticks per frame and skips the rest. With 8 ticks at 120 Hz, which is a floor of 15 frames a second, a
     * stall of 1 s loses about 7/8 s, and no burst of ticks follows. Peers in a network must not lose ticks, and use {@link
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
     * Ticks at absolute times: a frame that is too long runs a maximum of ticks and leaves exactly one tick due. So it shows the end of the
     * last tick: alpha is 1 and not more. The loop must run ticks with the same maximum.
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
     * Releases whole periods of the display, because a picture is shown for whole periods; the rest of a period is carried over. A frame
     * releases at most {@code maxPeriods} and skips the rest.
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
