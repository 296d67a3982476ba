package dev.escapement.bench.measure;

import dev.escapement.bench.demo.Pushable;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import org.jspecify.annotations.Nullable;

/** A simulation with the {@link Metronome} as an additional body, which keeps the hash of its last state when it is closed. */
public final class MeasuredSimulation extends ForwardingSimulation {

    private final @Nullable Metronome metronome;
    private final @Nullable Pushable bodies;
    private long tick;

    /** The readers' number of a tick minus the simulation's: the metronome shows the readers' time. */
    private long behind;

    private long lastHash;
    private boolean closed;

    /**
     * Adds measurements to a simulation.
     *
     * @param metronome the body after the simulation's own, which have to be {@link Pushable}; null to add none
     */
    public MeasuredSimulation(Simulation simulation, @Nullable Metronome metronome) {
        super(simulation);
        this.metronome = metronome;
        bodies = simulation.capability(Pushable.class).orElse(null);
    }

    /** How many bodies the simulation has; 0 if they are not {@link Pushable}. */
    public int bodyCount() {
        return bodies == null ? 0 : bodies.bodyCount();
    }

    @Override
    public void step(Tick next) throws Exception {
        if (next.number() <= tick) {
            behind += tick + 1 - next.number(); // it went back
        }
        tick = next.number();
        super.step(next);
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        super.capture(poses);
        if (metronome != null) {
            poses.bodyCount(bodyCount() + 1);
            poses.set(bodyCount(), metronome.x(tick + behind), 0.5f, metronome.z(), 0, 0, 0, 1);
        }
    }

    /**
     * The hash of the state; once this is closed, of the last state, 0 if there is none. Without the metronome, which has no state.
     */
    @Override
    public long hash() {
        return closed ? lastHash : simulation.hash();
    }

    @Override
    public void close() {
        try {
            lastHash = simulation.hash();
        } catch (UnsupportedOperationException e) {
            lastHash = 0;
        } finally {
            closed = true;
            super.close();
        }
    }
}
