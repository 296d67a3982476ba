package dev.escapement.bench.compare;

/**
 * The scene by steps of any length. Each step takes what the load says, however long it is.
 *
 * <p>One thread.
 */
final class SteppedScene {

    private static final double PROBE_METRES_PER_SECOND = 5;

    private final LoadProfile load;
    private final WorkClock clock;
    private final Ball ball = new Ball();
    private double probeX;
    private long steps;

    /** A scene whose steps pass time on this clock. */
    SteppedScene(LoadProfile load, WorkClock clock) {
        this.load = load;
        this.clock = clock;
    }

    /** A step of any length. */
    void step(double seconds) {
        steps++;
        clock.spend(load.costNanos(steps));
        probeX += PROBE_METRES_PER_SECOND * seconds;
        ball.fly(seconds);
    }

    /** How much simulated time has passed, by the place of the probe. */
    long simNanos() {
        return simNanos(probeX);
    }

    /** How much simulated time has passed where the probe is at a place. */
    static long simNanos(double probeX) {
        return Math.round(probeX / PROBE_METRES_PER_SECOND * 1e9);
    }

    /** Writes where the probe is, and how high the ball. */
    void saveTo(double[] state) {
        state[0] = probeX;
        state[1] = ball.height();
    }

    /** Metres above the floor. */
    double ballHeight() {
        return ball.height();
    }
}
