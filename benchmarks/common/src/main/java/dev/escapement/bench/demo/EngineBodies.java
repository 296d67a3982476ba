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
public abstract class EngineBodies<B> extends ForwardingSimulation implements Pushable {

    private final WorldSimulation<?, B> world;
    private final Made<B> made;
    private final @Nullable Machine machine;
    private final PushControls controls = new PushControls(this);

    /** The bodies that this tick has put back. */
    private final BitSet returned = new BitSet();

    /** Reused for the position of a body. */
    final Vector3d place = new Vector3d();

    private final Runnable free;
    private boolean closed;

    /**
     * What an engine has made of the solids of a scene.
     *
     * @param bodies those that forces move
     * @param parts  those of the machine
     */
    record Made<B>(List<B> bodies, List<B> parts) {

        Made() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void add(Solid solid, B body) {
            if (solid.motion() != Motion.STATIC) {
                (solid.motion() == Motion.DYNAMIC ? bodies : parts).add(body);
            }
        }

        /** The pendulum's bob, in a machine. */
        B last() {
            return bodies.get(bodies.size() - 1);
        }
    }

    /**
     * Attaches the bodies, each with its number, then the parts of the machine.
     *
     * @param free frees the engine's world, after the simulation has released it
     */
    EngineBodies(WorldSimulation<?, B> world, Scene scene, Made<B> made, Runnable free) {
        super(world);
        this.free = free;
        this.world = world;
        this.made = made;
        machine = scene.machine();
        for (B body : made.bodies) {
            world.attach(body, world.bodyCount());
        }
        for (B part : made.parts) {
            world.attach(part, world.bodyCount());
        }
        if (machine != null) {
            world.keep(machine);
        }
    }

    /** One of the engine's bodies, for the thread that may access the world. Access to freed native objects would crash the JVM. */
    public final B body(int number) {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation of " + made.bodies.size() + " bodies was closed, and its world freed");
        }
        return made.bodies.get(number);
    }

    /** How many bodies there are, the parts of the machine included. */
    public final int bodyCount() {
        return world.bodyCount();
    }

    final B part(int number) {
        return made.parts.get(number);
    }

    /** The machine, null if this is a pile. */
    public final @Nullable Machine machine() {
        return machine;
    }

    /** Moves a part of the machine within the next step to a place and an angle about z. */
    abstract void move(int part, double x, double y, double z, double turn, double dtSeconds);

    /** Moves a body at once, and stops it. */
    abstract void moveBody(int body, double x, double y, double z);

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
        world.step(tick);
    }

    @Override
    public final void capture(PoseWriter poses) throws Exception {
        super.capture(poses);
        for (int body = returned.nextSetBit(0); body >= 0; body = returned.nextSetBit(body + 1)) {
            poses.teleport(BodyId.slot(world.idOf(body(body))));
        }
    }

    @Override
    public final int pushableCount() {
        return machine == null ? made.bodies.size() : machine.tumbling();
    }

    /** The bodies, and the pendulum. */
    @Override
    public final int draggableCount() {
        return made.bodies.size();
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
