package dev.escapement.physics.simulation;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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
 * <p>It has the {@linkplain #capability capabilities} of the other simulation. A subclass with a state of its own also overrides
 * {@link #hash()} and implements {@link dev.escapement.physics.restore.Restorable}; otherwise that state would stay as it is when a run
 * goes back to an earlier tick.
 *
 * <p>A subclass with bodies of its own writes their poses after {@code super.capture(poses)}, by {@link PoseWriter#setInWorld}: that takes
 * coordinates of the world, and a world in {@code double} may move the origin of the poses in its capture.
 *
 * <p><b>Threads.</b> As in {@link Simulation}.
 */
public abstract class ForwardingSimulation implements Simulation {

    /** The simulation that calls are forwarded to. */
    protected final Simulation simulation;

    /**
     * Forwards every call to a simulation.
     *
     * @param simulation the simulation to forward to; closed with this
     */
    protected ForwardingSimulation(Simulation simulation) {
        this.simulation = Objects.requireNonNull(simulation, "simulation must not be null; pass what to forward to");
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
    public String settings() {
        return simulation.settings();
    }

    @Override
    public CommandHandlers commands() {
        return simulation.commands();
    }

    @Override
    public Map<String, Long> counts() {
        return simulation.counts();
    }

    /** {@return this object if it implements the interface, otherwise the capability of the other simulation} */
    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Simulation.super.capability(type).or(() -> simulation.capability(type));
    }

    @Override
    public void close() {
        simulation.close();
    }
}
