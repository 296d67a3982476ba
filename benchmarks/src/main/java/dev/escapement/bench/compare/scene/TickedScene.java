package dev.escapement.bench.compare.scene;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/**
 * The scene at a constant step. Each step takes what the load says, or as long as the crowd does, bodies of another simulation
 * that move in the same world and that nobody looks at.
 *
 * <p>The thread that ticks.
 */
public final class TickedScene implements Simulation {

    /** From the place of the probe follows which simulated time is drawn. Its places at ticks are exact in a float. */
    public static final Metronome METRONOME = new Metronome(10);

    private final LoadProfile load;
    private final WorkClock clock;
    private final Crowd crowd;
    private final Ball ball = new Ball();
    private long number;
    private long spentNanos;
    private long steps;

    /** A scene without a crowd, whose steps pass time on this clock. */
    public TickedScene(LoadProfile load, WorkClock clock) {
        this(load, clock, Crowd.NOBODY);
    }

    /** A scene whose steps pass time on this clock. */
    public TickedScene(LoadProfile load, WorkClock clock, Crowd crowd) {
        this.load = load;
        this.clock = clock;
        this.crowd = crowd;
    }

    @Override
    public void begin() throws Exception {
        crowd.simulation().begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        long startedNanos = clock.nanoTime();
        crowd.simulation().step(tick);
        long restNanos = load.costNanos(tick.number()) - (clock.nanoTime() - startedNanos);
        clock.spend(Math.max(0, restNanos));
        ball.fly(tick.dtSeconds());
        number = tick.number();
        spentNanos += clock.nanoTime() - startedNanos;
        steps++;
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        crowd.simulation().capture(poses);
        poses.bodyCount(crowd.bodies() + 2);
        poses.set(probeSlot(), METRONOME.x(number), 0, METRONOME.z(), 0, 0, 0, 1);
        poses.set(ballSlot(), 0, (float) ball.height(), 0, 0, 0, 0, 1);
    }

    /** The slot of the probe, which moves along x. */
    public int probeSlot() {
        return crowd.bodies();
    }

    /** The slot of the ball, which moves along y. */
    public int ballSlot() {
        return crowd.bodies() + 1;
    }

    @Override
    public void close() {
        crowd.simulation().close();
    }

    /** The state after the last step. */
    public SceneCopy copy() {
        return new SceneCopy(number, METRONOME.x(number), (float) ball.height());
    }

    /** What a step took since this was asked last, seconds, 0 if there was none. */
    public double takeMeanCostSeconds() {
        double mean = steps == 0 ? 0 : spentNanos / 1e9 / steps;
        spentNanos = 0;
        steps = 0;
        return mean;
    }
}
