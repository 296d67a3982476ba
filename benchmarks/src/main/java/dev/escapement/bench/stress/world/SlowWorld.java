package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Snapshot;
import java.util.function.LongUnaryOperator;

/** A predictable world whose steps keep a core busy for as long as they are told. */
public final class SlowWorld implements Simulation, Expectation {

    private final PredictableWorld world;
    private final LongUnaryOperator stepNanos;

    /**
     * A world.
     *
     * @param bodies    how many
     * @param stepNanos how long the step of each tick takes at least; asked on the physics thread, once a tick
     */
    public SlowWorld(int bodies, LongUnaryOperator stepNanos) {
        world = new PredictableWorld(bodies);
        this.stepNanos = stepNanos;
    }

    @Override
    public void step(Tick tick) {
        long endNanos = System.nanoTime() + stepNanos.applyAsLong(tick.number());
        world.step(tick);
        while (System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        world.capture(poses);
    }

    @Override
    public boolean holds(Snapshot snapshot) {
        return world.holds(snapshot);
    }
}
