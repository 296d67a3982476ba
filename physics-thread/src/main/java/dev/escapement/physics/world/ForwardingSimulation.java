package dev.escapement.physics.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.ShapeSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A simulation that forwards every call to another one. Extend it and override what you add to: the rules of a game around the world of an
 * engine, for example.
 *
 * <pre>{@code
 * final class LiftRules extends ForwardingSimulation {
 *
 *     private final Lift lift;
 *
 *     LiftRules(WorldSimulation<?, ?> world, Lift lift) {
 *         super(world);
 *         this.lift = lift;
 *     }
 *
 *     public void step(Tick tick) throws Exception {
 *         lift.move(tick.number() * tick.dtSeconds()); // in every tick, before the engine's step
 *         super.step(tick);
 *     }
 * }
 * }</pre>
 *
 * <p>It also forwards {@link BodyStates} and {@link ShapeSource}, if the other simulation implements them; otherwise there are no bodies
 * whose state can be read, and no shapes. It does not implement {@link dev.escapement.physics.replay.Restorable}, because only a subclass
 * knows whether it has a state of its own to save. One that has such a state also overrides {@link #hash()}.
 *
 * <p><b>Threads.</b> Those of {@link Simulation}.
 */
public abstract class ForwardingSimulation implements Simulation, BodyStates, ShapeSource {

    /** The simulation that calls are forwarded to. */
    protected final Simulation simulation;

    private final @Nullable BodyStates states;

    /**
     * Forwards every call to a simulation.
     *
     * @param simulation the simulation to forward to; closed with this
     */
    protected ForwardingSimulation(Simulation simulation) {
        this.simulation = Objects.requireNonNull(simulation, "simulation must not be null; pass what to forward to");
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
    public long hash() {
        return simulation.hash();
    }

    @Override
    public CommandHandlers commands() {
        return simulation.commands();
    }

    @Override
    public int bodyCount() {
        return states == null ? 0 : states.bodyCount();
    }

    @Override
    public List<String> stateComponents() {
        return states == null ? List.of() : states.stateComponents();
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        if (states != null) { // otherwise there is no body to read
            states.readState(body, bits, at);
        }
    }

    @Override
    public void readStates(int from, int to, long[] bits) {
        if (states != null) {
            states.readStates(from, to, bits);
        }
    }

    @Override
    public @Nullable BodyShape shape(long body) {
        return simulation instanceof ShapeSource shapes ? shapes.shape(body) : null;
    }

    @Override
    public void close() {
        simulation.close();
    }
}
