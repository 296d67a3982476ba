package dev.escapement.physics;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.concurrent.CountDownLatch;

/** A simulation of one resting body whose step a test defines. */
public class ScriptedSimulation implements Simulation {

    @FunctionalInterface
    public interface Step {

        void run(Tick tick) throws Exception;
    }

    /** Reaches zero when the service has closed the simulation. */
    public final CountDownLatch closed = new CountDownLatch(1);

    private final Step step;
    private final Runnable close;

    public ScriptedSimulation(Step step) {
        this(step, () -> {});
    }

    public ScriptedSimulation(Step step, Runnable close) {
        this.step = step;
        this.close = close;
    }

    public static ScriptedSimulation good() {
        return new ScriptedSimulation(tick -> {});
    }

    /** Returns a simulation that throws in tick {@code number} and in every later one. */
    public static ScriptedSimulation failingFrom(long number, RuntimeException cause) {
        return new ScriptedSimulation(tick -> {
            if (tick.number() >= number) {
                throw cause;
            }
        });
    }

    @Override
    public void step(Tick tick) throws Exception {
        step.run(tick);
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, 0, 0, 0, 0, 0, 0, 1);
    }

    @Override
    public void close() {
        close.run();
        closed.countDown();
    }
}
