package dev.escapement.bench.measure;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/** A simulation that does what another one does, for those that add to it. */
public abstract class ForwardingSimulation implements Simulation {

    private final Simulation simulation;

    /** Forwards every call to a simulation, which this closes. */
    protected ForwardingSimulation(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public void begin() throws Exception {
        simulation.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        simulation.step(tick);
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        simulation.capture(poses);
    }

    @Override
    public void events(EventWriter events) throws Exception {
        simulation.events(events);
    }

    @Override
    public void close() {
        simulation.close();
    }
}
