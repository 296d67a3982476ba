package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.scene.Ball;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.state.time.TickRate;

/**
 * What a renderer draws of the scene. Which simulated time that is, is read off the drawn probe, not asked of whoever chose it.
 *
 * <p>Render thread only.
 */
public abstract class Picture {

    private long shownSimNanos;
    private double ballHeight = Ball.START_METRES;
    private long holds;

    /**
     * Draws a frame. Before there is a state, the start of the scene stays.
     *
     * @param nowNanos     when the frame begins, an instant of the clock that the ticks are due by
     * @param displayNanos when it is expected to be displayed
     */
    public abstract void frame(long nowNanos, long displayNanos);

    /** The simulated time that is drawn. */
    public final long shownSimNanos() {
        return shownSimNanos;
    }

    /** How high the ball is drawn, metres. */
    public final double ballHeight() {
        return ballHeight;
    }

    /** How many frames had to stop because the state that they wanted was not there. */
    public long holds() {
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
    protected final void drawn(float probeX, long fromTick, TickRate rate, double height) {
        drawn(TickedScene.METRONOME.simNanos(probeX, fromTick, rate), height);
    }

    /** Says what the frame has drawn, where the probe tells the time directly. */
    protected final void drawn(long simNanos, double height) {
        shownSimNanos = simNanos;
        ballHeight = height;
    }

    /** Counts a frame that had to stop. */
    protected final void hold() {
        holds++;
    }
}
