package dev.escapement.physics;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.concurrent.CountDownLatch;

/** One body that stays where it is, and a step of the test's own. */
public class ScriptedSimulation implements Simulation {

    /** What a test does in a step. */
    @FunctionalInterface
    public interface Step {

        void run(Tick tick) throws Exception;
    }

    /** Open once the service has closed the simulation. */
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

    /** A simulation that never fails. */
    public static ScriptedSimulation good() {
        return new ScriptedSimulation(tick -> {});
    }

    /** One that throws in a tick, and in all after it. */
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
