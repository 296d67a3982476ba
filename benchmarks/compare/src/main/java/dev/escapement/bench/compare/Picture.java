package dev.escapement.bench.compare;

import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import org.joml.Vector3f;

/**
 * The drawn picture of the scene. Its simulated time is read from the drawn probe, not from the code that chose it.
 *
 * <p>Render thread only.
 */
abstract class Picture {

    private long shownSimNanos;
    private double ballHeight = Scene.START_METRES;

    /** A rule for the alpha by which a renderer blends the two latest snapshots. */
    @FunctionalInterface
    interface AlphaRule {

        /** Returns 0 for the previous snapshot, 1 for the current (newest) one; less or more for a moment outside of both. */
        double alpha(Window window, long nowNanos);

        static AlphaRule newest() {
            return (window, nowNanos) -> 1;
        }

        /** Blends by the time since the newest snapshot was published, as if all snapshots were equally far apart. */
        static AlphaRule byArrival() {
            return (window, nowNanos) -> (nowNanos - window.publishedNanos()) / periodNanos(window);
        }

        /** Blends by the due times of the snapshots, at a moment a tick and a delay in the past. */
        static AlphaRule byDueTime(long interpolationDelayNanos) {
            return (window, nowNanos) -> ticksBeyondNewest(window, nowNanos - interpolationDelayNanos);
        }

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

    /** Creates the picture of a view; nothing else may advance the view. */
    static Picture of(FrameView view) {
        Vector3f position = new Vector3f();
        return new Picture() {
            @Override
            void frame(long nowNanos, long displayNanos) {
                if (view.advance(nowNanos, displayNanos)) {
                    float probeX = view.positionOfSlot(Scene.PROBE, position).x;
                    float height = view.positionOfSlot(Scene.BALL, position).y;
                    drawn(Scene.METRONOME.simNanos(view, probeX), height);
                }
            }
        };
    }

    /**
     * Creates a picture of the two latest snapshots, blended by a rule, from previous (0) to current (1), or beyond that up to {@code
     * maxAlpha}.
     */
    static Picture ofTwoLatest(SnapshotReader reader, AlphaRule rule, double maxAlpha) {
        return new Picture() {
            @Override
            void frame(long nowNanos, long displayNanos) {
                reader.acquire();
                if (!reader.hasWindow()) {
                    return;
                }
                Window window = reader.window();
                double alpha = Math.max(0, Math.min(rule.alpha(window, nowNanos), maxAlpha));
                PoseBlock from = window.snapshot(window.size() - 2).poses().block(0);
                PoseBlock to = window.newest().poses().block(0);
                double x = blend(from.px[Scene.PROBE], to.px[Scene.PROBE], alpha);
                double y = blend(from.py[Scene.BALL], to.py[Scene.BALL], alpha);
                drawn((float) x, window.newestTick() - 1, window.timeline().rate(), y);
            }
        };
    }

    /** Blends from previous (0) to current (1), or beyond. */
    static double blend(double previous, double current, double alpha) {
        return previous * (1 - alpha) + current * alpha;
    }

    /**
     * Draws a frame. Before there is a state, it shows the start of the scene.
     *
     * @param nowNanos     when the frame begins, an instant of the ticks' clock
     * @param displayNanos when it is expected to be displayed
     */
    abstract void frame(long nowNanos, long displayNanos);

    final long shownSimNanos() {
        return shownSimNanos;
    }

    /** The height of the drawn ball, in metres. */
    final double ballHeight() {
        return ballHeight;
    }

    /** Sets the drawn probe and ball, at a moment after a tick. */
    final void drawn(float probeX, long afterTick, TickRate rate, double height) {
        drawn(Scene.METRONOME.simNanos(probeX, afterTick, rate), height);
    }

    final void drawn(long simNanos, double height) {
        shownSimNanos = simNanos;
        ballHeight = height;
    }
}
