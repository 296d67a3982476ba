package dev.escapement.bench.measure;

import dev.escapement.bench.demo.Pushable;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import org.jspecify.annotations.Nullable;

/** A simulation with a {@link Metronome} as an additional body. After it was closed, {@link #hash} returns the hash of its last state. */
public final class MeasuredSimulation extends ForwardingSimulation {

    private final @Nullable Metronome metronome;
    private final @Nullable Pushable bodies;
    private long tick;

    /**
     * The tick number that readers see minus the simulation's tick number, which a rewind sets back. The metronome adds this, because it
     * must show the readers' time.
     */
    private long behind;

    private long lastHash;
    private boolean closed;

    /**
     * Adds a metronome to a simulation.
     *
     * @param metronome the last body, after the bodies of a simulation that is {@link Pushable}; null to add none
     */
    public MeasuredSimulation(Simulation simulation, @Nullable Metronome metronome) {
        super(simulation);
        this.metronome = metronome;
        bodies = simulation.capability(Pushable.class).orElse(null);
    }

    /** The number of the simulation's bodies; 0 if they are not {@link Pushable}. */
    public int bodyCount() {
        return bodies == null ? 0 : bodies.bodyCount();
    }

    @Override
    public void step(Tick next) throws Exception {
        if (next.number() <= tick) {
            behind += tick + 1 - next.number(); // a rewind has set the simulation back
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
     * The hash of the simulation's state; the metronome has no state. After this was closed, the hash of the last state, or 0 if the
     * simulation has no hash.
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
