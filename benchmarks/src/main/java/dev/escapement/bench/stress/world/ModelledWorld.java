package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Snapshot;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A simulation that computes all from the number of its tick, so that any thread can test whether a snapshot holds what its tick led
 * to.
 */
public abstract class ModelledWorld implements Simulation, Predicate<Snapshot> {

    private final Consumer<Tick> atStep;
    private long tick;

    /** A world that does nothing else. */
    ModelledWorld() {
        this(tick -> {});
    }

    /** A world that does something else in each step, on the thread that ticks. */
    ModelledWorld(Consumer<Tick> atStep) {
        this.atStep = atStep;
    }

    @Override
    public final void step(Tick next) {
        tick = next.number();
        atStep.accept(next);
    }

    @Override
    public final void capture(PoseWriter poses) {
        capture(tick, poses);
    }

    /** Writes what the tick led to. */
    abstract void capture(long now, PoseWriter poses);

    /** Whether the snapshot holds what its tick led to. */
    @Override
    public abstract boolean test(Snapshot snapshot);
}
