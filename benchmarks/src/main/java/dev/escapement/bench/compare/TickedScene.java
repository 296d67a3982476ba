package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Metronome;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.service.BodyShape;
import dev.escapement.state.service.ShapeSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The scene at a constant step. Each step takes what the load says, or as long as the crowd does, bodies of another simulation
 * that move in the same world.
 *
 * <p>The thread that ticks.
 */
final class TickedScene implements Simulation, ShapeSource {

    /** From the place of the probe follows which simulated time is drawn. Its places at ticks are exact in a float. */
    static final Metronome METRONOME = new Metronome(10);

    private final LoadProfile load;
    private final WorkClock clock;
    private final Crowd crowd;
    private final Ball ball = new Ball();
    private final ReentrantLock lock = new ReentrantLock(); // held by a step, and by a frame that copies
    private Runnable afterCapture = () -> {};
    private long number;
    private long spentNanos;
    private long steps;

    /**
     * What a renderer copies where nothing else is handed over.
     *
     * @param tick       the tick it is the state of
     * @param probeX     where the probe is
     * @param ballHeight how high the ball is, metres
     */
    record State(long tick, float probeX, float ballHeight) {}

    /** A scene without a crowd, whose steps pass time on this clock. */
    TickedScene(LoadProfile load, WorkClock clock) {
        this(load, clock, Crowd.NONE);
    }

    /** A scene whose steps pass time on this clock. */
    TickedScene(LoadProfile load, WorkClock clock, Crowd crowd) {
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
        lock.lock();
        try {
            stepLocked(tick);
        } finally {
            lock.unlock();
        }
    }

    private void stepLocked(Tick tick) throws Exception {
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
        afterCapture.run();
    }

    @Override
    public @Nullable BodyShape shape(long body) {
        return crowd.simulation() instanceof ShapeSource source ? source.shape(body) : null;
    }

    /** The slot of the probe, which moves along x. */
    int probeSlot() {
        return crowd.bodies();
    }

    /** The slot of the ball, which moves along y. */
    int ballSlot() {
        return crowd.bodies() + 1;
    }

    @Override
    public void close() {
        crowd.simulation().close();
    }

    /** Any thread: the state after the last step; waits for the end of one that runs. */
    State copy() {
        lock.lock();
        try {
            return new State(number, METRONOME.x(number), (float) ball.height());
        } finally {
            lock.unlock();
        }
    }

    /** Before the first tick: what is done after each capture. */
    void afterCapture(Runnable action) {
        afterCapture = action;
    }

    /** What a step took since this was asked last, seconds, 0 if there was none. */
    double takeMeanCostSeconds() {
        double mean = steps == 0 ? 0 : spentNanos / 1e9 / steps;
        spentNanos = 0;
        steps = 0;
        return mean;
    }
}
