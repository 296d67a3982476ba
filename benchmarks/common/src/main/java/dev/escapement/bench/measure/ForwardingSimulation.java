package dev.escapement.bench.measure;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.service.BodyShape;
import dev.escapement.state.service.ShapeSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A simulation that does what another one does, for those that add to it. It has the methods of
 * {@link BodyStates}, for those that implement that as well.
 */
public abstract class ForwardingSimulation implements Simulation, ShapeSource {

    /** What calls are forwarded to. */
    protected final Simulation simulation;

    private final @Nullable BodyStates states;

    /** Forwards every call to a simulation, which this closes. */
    protected ForwardingSimulation(Simulation simulation) {
        this.simulation = simulation;
        states = simulation instanceof BodyStates readable ? readable : null;
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
    public CommandHandlers commands() {
        return simulation.commands();
    }

    @Override
    public @Nullable BodyShape shape(long body) {
        return simulation instanceof ShapeSource shapes ? shapes.shape(body) : null;
    }

    /** How many bodies can be looked at; none if the simulation's cannot. */
    public int bodyCount() {
        return states == null ? 0 : states.bodyCount();
    }

    /** What the state of a body consists of; nothing if the simulation's bodies cannot be looked at. */
    public List<String> stateComponents() {
        return states == null ? List.of() : states.stateComponents();
    }

    /** Reads the state of a body of a simulation whose bodies can be looked at. */
    public void readState(int body, long[] bits, int at) {
        lookedAt().readState(body, bits, at);
    }

    /** Reads the states of bodies of a simulation whose bodies can be looked at. */
    public void readStates(int from, int to, long[] bits) {
        lookedAt().readStates(from, to, bits);
    }

    private BodyStates lookedAt() {
        return Objects.requireNonNull(states, "this simulation's bodies cannot be looked at");
    }

    @Override
    public void close() {
        simulation.close();
    }
}
