package dev.escapement.bench.demo;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.service.BodyShape;
import dev.escapement.state.service.ShapeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pile of boxes in the world of an engine. The world is made with the engine's own calls, and ticked by the engine's world simulation,
 * as a game would do it; what is added here is input that pushes the boxes. The simulation itself drags them.
 *
 * @param <B> the engine's bodies
 */
public abstract class EnginePile<B> implements Simulation, Pushable, BodyStates, ShapeSource {

    private final WorldSimulation<?, B> simulation;
    private final List<B> boxes;
    private final PushControls controls = new PushControls(this);
    private boolean closed;

    /** Attaches the boxes, each with its number. */
    EnginePile(WorldSimulation<?, B> simulation, List<B> boxes) {
        this.simulation = simulation;
        this.boxes = boxes;
        for (int box = 0; box < boxes.size(); box++) {
            simulation.attach(boxes.get(box), box);
        }
    }

    /** Frees the engine's world, which the simulation has given back. */
    abstract void free();

    /** One of the engine's bodies, for the thread that may touch the world. */
    public final B box(int number) {
        requireOpen();
        return boxes.get(number);
    }

    final PushControls controls() {
        requireOpen();
        return controls;
    }

    @Override
    public final void begin() {
        simulation.begin();
    }

    @Override
    public final void step(Tick tick) throws Exception {
        controls().apply(tick.input(), tick.dtSeconds());
        simulation.step(tick);
    }

    @Override
    public final void capture(PoseWriter poses) {
        requireOpen();
        simulation.capture(poses);
    }

    @Override
    public final CommandHandlers commands() {
        return simulation.commands();
    }

    @Override
    public final void events(EventWriter events) {
        simulation.events(events);
    }

    @Override
    public final @Nullable BodyShape shape(long body) {
        requireOpen();
        return simulation.shape(body);
    }

    @Override
    public final long hash() {
        requireOpen();
        return simulation.hash();
    }

    @Override
    public final List<String> stateComponents() {
        return simulation.stateComponents();
    }

    @Override
    public final void readState(int body, long[] bits, int at) {
        simulation.readState(body, bits, at);
    }

    @Override
    public final void readStates(int from, int to, long[] bits) {
        simulation.readStates(from, to, bits);
    }

    @Override
    public final int bodyCount() {
        return boxes.size();
    }

    @Override
    public final long inputsApplied() {
        return controls.applied();
    }

    @Override
    public final void close() {
        if (!closed) {
            simulation.close();
            closed = true;
            free();
        }
    }

    /** Freed native objects would take the whole JVM down. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation of " + boxes.size() + " boxes was closed, and its world freed");
        }
    }
}
