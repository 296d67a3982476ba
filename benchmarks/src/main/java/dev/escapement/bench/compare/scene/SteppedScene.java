package dev.escapement.bench.compare.scene;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.loop.SteppedWorld;

/**
 * The scene by steps of any length. Each step takes what the load says, however long it is.
 *
 * <p>One thread.
 */
public final class SteppedScene implements SteppedWorld {

    private static final double PROBE_METRES_PER_SECOND = 5;

    private final LoadProfile load;
    private final WorkClock clock;
    private final Ball ball = new Ball();
    private double probeX;
    private long steps;

    /** A scene whose steps pass time on this clock. */
    public SteppedScene(LoadProfile load, WorkClock clock) {
        this.load = load;
        this.clock = clock;
    }

    @Override
    public void step(double seconds) {
        steps++;
        clock.spend(load.costNanos(steps));
        probeX += PROBE_METRES_PER_SECOND * seconds;
        ball.fly(seconds);
    }

    /** How much simulated time has passed, by the place of the probe. */
    public long simNanos() {
        return Math.round(probeX / PROBE_METRES_PER_SECOND * 1e9);
    }

    /** Metres above the floor. */
    public double ballHeight() {
        return ball.height();
    }
}
