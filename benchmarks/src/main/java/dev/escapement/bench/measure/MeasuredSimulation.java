package dev.escapement.bench.measure;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/** The simulation as it is, the {@link Metronome} as one more body, and the hash of the last state before it is closed. */
public final class MeasuredSimulation implements Simulation {

    private final Simulation simulation;
    private final int bodies;
    private final Metronome metronome;
    private long tick;
    private long lastHash;

    /** Adds to a simulation of so many bodies. */
    public MeasuredSimulation(Simulation simulation, int bodies, Metronome metronome) {
        this.simulation = simulation;
        this.bodies = bodies;
        this.metronome = metronome;
    }

    @Override
    public void step(Tick next) throws Exception {
        tick = next.number();
        simulation.step(next);
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        simulation.capture(poses);
        poses.bodyCount(bodies + 1);
        poses.set(bodies, metronome.x(tick), 0.5f, metronome.z(), 0, 0, 0, 1);
    }

    @Override
    public void events(EventWriter events) throws Exception {
        simulation.events(events);
    }

    /** The hash of the last state, once this is closed. */
    @Override
    public long hash() {
        return lastHash;
    }

    @Override
    public void close() {
        try {
            lastHash = simulation.hash();
        } finally {
            simulation.close();
        }
    }
}
