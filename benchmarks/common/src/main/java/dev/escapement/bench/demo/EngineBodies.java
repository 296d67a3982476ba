package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;

/**
 * A pile of boxes or a machine in the world of an engine. The world is created with the engine's own calls, and ticked by the engine's
 * world simulation, as in a game; this adds input that pushes the bodies, and moves the machine. The simulation itself drags them.
 *
 * @param <B> the engine's bodies
 */
public class EngineBodies<B> extends ForwardingSimulation implements Pushable {

    private final EngineWorld<B> world;
    private final @Nullable Machine machine;
    private final PushControls controls = new PushControls(this);
    private final List<Solid> solids = new ArrayList<>();
    private final List<B> bodies = new ArrayList<>();
    private final List<B> parts = new ArrayList<>();

    /** The bodies that this tick has put back. */
    private final BitSet returned = new BitSet();

    // Reused.
    private final Vector3d place = new Vector3d();
    private boolean closed;

    /** Makes the solids, and attaches the bodies, each with its number, then the parts of the machine. */
    EngineBodies(EngineWorld<B> world, Scene scene) {
        super(world.simulation());
        this.world = world;
        machine = scene.machine();
        for (Solid solid : scene.solids()) {
            B body = world.add(solid);
            if (body != null && solid.isDynamic()) {
                bodies.add(body);
                solids.add(solid);
            } else if (body != null && solid.motion() == Motion.KINEMATIC) {
                parts.add(body);
            }
        }
        if (machine != null) {
            world.hang(bodies.get(bodies.size() - 1), machine.shape().hinge());
        }
        world.ready();
        WorldSimulation<?, B> attaching = world.simulation();
        bodies.forEach(body -> attaching.attach(body, attaching.bodyCount()));
        parts.forEach(part -> attaching.attach(part, attaching.bodyCount()));
        if (machine != null) {
            attaching.keep(machine);
        }
    }

    /** One of the engine's bodies, for the thread that may access the world. Access to freed native objects would crash the JVM. */
    public final B body(int number) {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation of " + bodies.size() + " bodies was closed, and its world freed");
        }
        return bodies.get(number);
    }

    /** How many bodies there are, the parts of the machine included. */
    public final int bodyCount() {
        return world.simulation().bodyCount();
    }

    /** The machine, null if this is a pile. */
    public final @Nullable Machine machine() {
        return machine;
    }

    @Override
    public final Vector3dc position(int body) {
        return world.position(body(body), place);
    }

    @Override
    public final void push(int body, double dvx, double dvy, double dvz) {
        world.push(body(body), solids.get(body).kilograms(), dvx, dvy, dvz);
    }

    /** Moves a part of the machine within the next step to a place and an angle about z. */
    final void move(int part, double x, double y, double z, double turn, double dtSeconds) {
        world.move(parts.get(part), x, y, z, turn, dtSeconds);
    }

    /** Moves a body at once, and stops it. */
    final void moveBody(int body, double x, double y, double z) {
        world.moveBody(body(body), x, y, z);
    }

    /** Moves a body that was thrown out, without a motion that pictures could show. */
    final void putBack(int body, Vector3dc to) {
        moveBody(body, to.x(), to.y(), to.z());
        returned.set(body);
    }

    @Override
    public final void step(Tick tick) throws Exception {
        controls.apply(tick.input(), tick.dtSeconds());
        returned.clear();
        if (machine != null) {
            machine.step(this, tick);
        }
        super.step(tick);
    }

    @Override
    public final void capture(PoseWriter poses) throws Exception {
        super.capture(poses);
        for (int body = returned.nextSetBit(0); body >= 0; body = returned.nextSetBit(body + 1)) {
            poses.teleport(BodyId.slot(world.simulation().idOf(body(body))));
        }
    }

    @Override
    public final int pushableCount() {
        return machine == null ? bodies.size() : machine.tumbling();
    }

    /** The bodies, and the pendulum. */
    @Override
    public final int draggableCount() {
        return bodies.size();
    }

    @Override
    public final void close() {
        if (!closed) {
            super.close();
            closed = true;
            world.free();
        }
    }
}
