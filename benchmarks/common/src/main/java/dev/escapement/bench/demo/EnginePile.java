package dev.escapement.bench.demo;

import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.physics.world.WorldSimulation;
import java.util.List;
import org.joml.Vector3d;

/**
 * A pile of boxes in the world of an engine. The world is created with the engine's own calls, and ticked by the engine's world simulation,
 * as in a game; this adds input that pushes the boxes. The simulation itself drags them.
 *
 * @param <B> the engine's bodies
 */
public abstract class EnginePile<B> extends ForwardingSimulation implements Pushable {

    private final WorldSimulation<?, B> world;
    private final List<B> boxes;
    private final PushControls controls = new PushControls(this);

    /** Reused for the position of a body. */
    final Vector3d place = new Vector3d();

    private final Runnable free;
    private boolean closed;

    /**
     * Attaches the boxes, each with its number.
     *
     * @param free frees the engine's world, after the simulation has released it
     */
    EnginePile(WorldSimulation<?, B> world, List<B> boxes, Runnable free) {
        super(world);
        this.free = free;
        this.world = world;
        this.boxes = boxes;
        for (int box = 0; box < boxes.size(); box++) {
            world.attach(boxes.get(box), box);
        }
    }

    /** One of the engine's bodies, for the thread that may access the world. Access to freed native objects would crash the JVM. */
    public final B box(int number) {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation of " + boxes.size() + " boxes was closed, and its world freed");
        }
        return boxes.get(number);
    }

    @Override
    public final void step(Tick tick) throws Exception {
        controls.apply(tick.input(), tick.dtSeconds());
        world.step(tick);
    }

    @Override
    public final int bodyCount() {
        return boxes.size();
    }

    @Override
    public final void close() {
        if (!closed) {
            super.close();
            closed = true;
            free.run();
        }
    }
}
