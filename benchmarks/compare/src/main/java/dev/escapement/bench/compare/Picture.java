package dev.escapement.bench.compare;

import dev.escapement.render.FrameView;
import dev.escapement.state.time.TickRate;
import org.joml.Vector3f;

/**
 * What a renderer draws of the scene. Which simulated time that is, is read off the drawn probe, not asked of the code that chose it.
 *
 * <p>Render thread only.
 */
abstract class Picture {

    private long shownSimNanos;
    private double ballHeight = Scene.START_METRES;

    /** A picture of what a view shows of the scene; nothing else may advance the view. */
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

    /** From previous (0) to current (1), and beyond where alpha is. */
    static double blend(double previous, double current, double alpha) {
        return previous * (1 - alpha) + current * alpha;
    }

    /**
     * Draws a frame. Before there is a state, the start of the scene stays.
     *
     * @param nowNanos     when the frame begins, an instant of the clock that the ticks are due by
     * @param displayNanos when it is expected to be displayed
     */
    abstract void frame(long nowNanos, long displayNanos);

    /** The simulated time that is drawn. */
    final long shownSimNanos() {
        return shownSimNanos;
    }

    /** How high the ball is drawn, metres. */
    final double ballHeight() {
        return ballHeight;
    }

    /** Says where the frame has drawn the probe and how high the ball, at a moment after a tick. */
    final void drawn(float probeX, long afterTick, TickRate rate, double height) {
        drawn(Scene.METRONOME.simNanos(probeX, afterTick, rate), height);
    }

    /** Says which time the frame has drawn, and how high the ball. */
    final void drawn(long simNanos, double height) {
        shownSimNanos = simNanos;
        ballHeight = height;
    }
}
