package dev.escapement.bench.compare;

import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import org.joml.Vector3f;

/**
 * What a loop has drawn of the scene. The drawn position of the probe gives the simulated time of the picture, so that the code that chose
 * the time is measured, too.
 *
 * <p>Render thread only.
 */
abstract class Picture {

    private long shownSimNanos;
    private double ballHeight = Scene.START_METRES;

    @FunctionalInterface
    interface AlphaRule {

        /**
         * Returns the weight of the newest snapshot: 0 shows the previous snapshot, 1 the newest. A value below 0 or above 1 extrapolates.
         */
        double alpha(Window window, long nowNanos);

        static AlphaRule newest() {
            return (window, nowNanos) -> 1;
        }

        /** Blends by the time since the newest snapshot was published, as if snapshots were published exactly one tick apart. */
        static AlphaRule byArrival() {
            return (window, nowNanos) -> (nowNanos - window.newest().publishedNanos()) / periodNanos(window);
        }

        /** Blends by the due times of the snapshots. The shown time is a tick and {@code interpolationDelayNanos} in the past. */
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

    /** Draws with a view of the library. Nothing else may advance the view. */
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

    /** Draws the two latest snapshots, blended by a rule. The rule's alpha is limited to 0 to {@code maxAlpha}. */
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

    static double blend(double previous, double current, double alpha) {
        return previous * (1 - alpha) + current * alpha;
    }

    /**
     * Draws a frame. Without a published state, the picture stays at the start of the scene.
     *
     * @param nowNanos     when the frame begins, on the clock that makes ticks due
     * @param displayNanos when the display is expected to show the frame
     */
    abstract void frame(long nowNanos, long displayNanos);

    final long shownSimNanos() {
        return shownSimNanos;
    }

    final double ballHeight() {
        return ballHeight;
    }

    /** Records what was drawn: the probe's x, which gives a simulated time after tick {@code afterTick}, and the ball's height. */
    final void drawn(float probeX, long afterTick, TickRate rate, double height) {
        drawn(Scene.METRONOME.simNanos(probeX, afterTick, rate), height);
    }

    final void drawn(long simNanos, double height) {
        shownSimNanos = simNanos;
        ballHeight = height;
    }
}
