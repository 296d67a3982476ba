package dev.escapement.bench.compare;

import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a renderer draws of the scene. Which simulated time that is, is read off the drawn probe, not asked of the code that chose it.
 *
 * <p>Render thread only.
 */
abstract class Picture {

    private long shownSimNanos;
    private double ballHeight = Ball.START_METRES;
    private long holds;

    /** A picture of a scene that tells the shown time and the height of the ball directly. */
    static Picture of(LongSupplier simNanos, DoubleSupplier ballHeight) {
        return new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                drawn(simNanos.getAsLong(), ballHeight.getAsDouble());
            }
        };
    }

    /** A picture of what a view shows of a scene; nothing else may advance the view. */
    static Picture of(FrameView view, TickedScene scene) {
        return new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                if (!view.advance(nowNanos, displayNanos)) {
                    return;
                }
                double height = block(scene.ballSlot()).py[scene.ballSlot() & PoseBlock.MASK];
                float probeX = block(scene.probeSlot()).px[scene.probeSlot() & PoseBlock.MASK];
                drawn(TickedScene.METRONOME.simNanos(view, probeX), height);
            }

            private PoseBlock block(int slot) {
                return view.interpolator().block(slot >>> PoseBlock.SHIFT);
            }

            @Override
            public long holds() {
                return view.clock().holds();
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

    /** How many frames had to stop because the state that they wanted was not there. */
    long holds() {
        return holds;
    }

    /**
     * Says what the frame has drawn.
     *
     * @param probeX   where the probe was drawn
     * @param fromTick the tick before the moment drawn
     * @param rate     the rate of the ticks
     * @param height   how high the ball was drawn
     */
    final void drawn(float probeX, long fromTick, TickRate rate, double height) {
        drawn(TickedScene.METRONOME.simNanos(probeX, fromTick, rate), height);
    }

    /** Says what the frame has drawn, where the probe tells the time directly. */
    final void drawn(long simNanos, double height) {
        shownSimNanos = simNanos;
        ballHeight = height;
    }

    /** Counts a frame that had to stop. */
    final void hold() {
        holds++;
    }
}
