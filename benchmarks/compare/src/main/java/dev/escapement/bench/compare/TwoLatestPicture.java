package dev.escapement.bench.compare;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;

/**
 * Draws the two latest snapshots, blended by a rule, and stops where the rule wants more than there is.
 *
 * <p>Render thread only.
 */
public final class TwoLatestPicture extends Picture {

    private final SnapshotReader reader;
    private final AlphaRule rule;
    private final double mostAlpha;

    /** How far a renderer that has the two latest snapshots goes from the one to the other. */
    @FunctionalInterface
    public interface AlphaRule {

        /** 0 for the earlier snapshot, 1 for the newest, more or less for a frame that wants a moment outside of them. */
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

    /** Draws by a rule, from the earlier (0) to the newest (1), or beyond it as far as {@code mostAlpha} says. */
    TwoLatestPicture(SnapshotReader reader, AlphaRule rule, double mostAlpha) {
        this.reader = reader;
        this.rule = rule;
        this.mostAlpha = mostAlpha;
    }

    @Override
    public void frame(long nowNanos, long displayNanos) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return;
        }
        Window window = reader.window();
        double alpha = Math.max(0, Math.min(rule.alpha(window, nowNanos), mostAlpha));
        PoseBlock from = window.snapshot(window.size() - 2).poses().block(0);
        PoseBlock to = window.newest().poses().block(0);
        double x = blend(from.px[Scene.PROBE], to.px[Scene.PROBE], alpha);
        double y = blend(from.py[Scene.BALL], to.py[Scene.BALL], alpha);
        drawn((float) x, window.newestTick() - 1, window.timeline().rate(), y);
    }
}
