package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Metronome;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.function.LongUnaryOperator;

/**
 * The simulated world of the comparison: a probe that moves evenly and a ball that bounces. Each step takes the time that the load sets.
 */
final class Scene implements Simulation {

    static final int PROBE = 0;

    static final int BALL = 1;

    /**
     * Computes the motion of the probe. The probe's drawn position gives the simulated time; at ticks, the position is exact in a float.
     */
    static final Metronome METRONOME = new Metronome(10);

    static final double START_METRES = 2;

    private static final double GRAVITY = 9.81;
    private static final double BOUNCE_SPEED = Math.sqrt(2 * GRAVITY * START_METRES);
    private static final double FALL_SECONDS = BOUNCE_SPEED / GRAVITY;

    private final LongUnaryOperator stepNanos;
    private final WorkClock clock;
    private Runnable afterCapture = () -> {};
    private State state = new State(0, METRONOME.x(0), (float) START_METRES);
    private long spentNanos;
    private long steps;

    /** The state of a tick, for renderers that read it directly instead of a snapshot. */
    record State(long tick, float probeX, float ballHeight) {}

    /** Creates a scene whose steps take the time that {@code stepNanos} returns for their number. */
    Scene(LongUnaryOperator stepNanos, WorkClock clock) {
        this.stepNanos = stepNanos;
        this.clock = clock;
    }

    /**
     * The height of the ball above the floor, in metres, {@code seconds} after it began to fall. A formula gives the height, so it is the
     * same for any step length.
     */
    static double ballHeightAfter(double seconds) {
        double sinceBounce = (seconds + FALL_SECONDS) % (2 * FALL_SECONDS);
        return (BOUNCE_SPEED - GRAVITY / 2 * sinceBounce) * sinceBounce;
    }

    @Override
    public void step(Tick tick) {
        long startedNanos = clock.nanoTime();
        clock.spend(stepNanos.applyAsLong(tick.number()));
        double ballHeight = ballHeightAfter(tick.number() * tick.dtSeconds());
        state = new State(tick.number(), METRONOME.x(tick.number()), (float) ballHeight);
        spentNanos += clock.nanoTime() - startedNanos;
        steps++;
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(2);
        poses.set(PROBE, state.probeX(), 0, METRONOME.z(), 0, 0, 0, 1);
        poses.set(BALL, 0, state.ballHeight(), 0, 0, 0, 0, 1);
        afterCapture.run();
    }

    State state() {
        return state;
    }

    void afterCapture(Runnable action) {
        afterCapture = action;
    }

    /** Returns the mean duration of the steps since the last call, in seconds; 0 without a step. */
    double takeMeanCostSeconds() {
        double mean = steps == 0 ? 0 : spentNanos / 1e9 / steps;
        spentNanos = 0;
        steps = 0;
        return mean;
    }
}
