package dev.escapement.bench.compare;

import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.state.capture.PoseWriter;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A probe that moves evenly and a ball that bounces, in a world of other bodies, the crowd. Each step takes what the load says, or as long
 * as the crowd does.
 *
 * <p>The thread that ticks.
 */
final class Scene extends ForwardingSimulation {

    /** From the place of the probe follows which simulated time is drawn. Its places at ticks are exact in a float. */
    static final Metronome METRONOME = new Metronome(10);

    private final LoadProfile load;
    private final WorkClock clock;
    private final int crowdBodies;
    private final ReentrantLock lock = new ReentrantLock(); // held by a step, and by a frame that copies
    private Runnable afterCapture = () -> {};
    private State state = new State(0, METRONOME.x(0), (float) Ball.START_METRES);
    private long spentNanos;
    private long steps;

    /** What a renderer copies where nothing else is handed over. */
    record State(long tick, float probeX, float ballHeight) {}

    /** A scene without a crowd, whose steps pass time on this clock. */
    Scene(LoadProfile load, WorkClock clock) {
        this(load, clock, new EmptySimulation(), 0);
    }

    /** A scene whose steps pass time on this clock, with a crowd that captures so many bodies. */
    Scene(LoadProfile load, WorkClock clock, Simulation crowd, int crowdBodies) {
        super(crowd);
        this.load = load;
        this.clock = clock;
        this.crowdBodies = crowdBodies;
    }

    @Override
    public void step(Tick tick) throws Exception {
        lock.lock();
        try {
            long startedNanos = clock.nanoTime();
            super.step(tick);
            clock.spendUntil(startedNanos + load.costNanos(tick.number()));
            double ballHeight = Ball.heightAfter(tick.number() * tick.dtSeconds());
            state = new State(tick.number(), METRONOME.x(tick.number()), (float) ballHeight);
            spentNanos += clock.nanoTime() - startedNanos;
            steps++;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        super.capture(poses);
        poses.bodyCount(crowdBodies + 2);
        poses.set(probeSlot(), state.probeX(), 0, METRONOME.z(), 0, 0, 0, 1);
        poses.set(ballSlot(), 0, state.ballHeight(), 0, 0, 0, 0, 1);
        afterCapture.run();
    }

    /** The slot of the probe, which moves along x. */
    int probeSlot() {
        return crowdBodies;
    }

    /** The slot of the ball, which moves along y. */
    int ballSlot() {
        return crowdBodies + 1;
    }

    /** Any thread: the state after the last step; waits for the end of one that runs. */
    State copy() {
        lock.lock();
        try {
            return state;
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
