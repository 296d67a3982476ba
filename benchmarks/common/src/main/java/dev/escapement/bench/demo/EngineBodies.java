package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.physics.world.WorldSimulation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;

/**
 * A pile of boxes or a machine in the world of an engine. As in a game, the engine's own calls create the world, and the engine's {@code
 * WorldSimulation} ticks it. This class moves the machine and lets input push bodies; the {@code WorldSimulation} lets input drag them.
 *
 * @param <B> the engine's bodies
 */
public class EngineBodies<B> extends ForwardingSimulation implements Pushable {

    private static final double MAX_PUSH_METRES_PER_SECOND = 5;

    private final EngineWorld<B> world;
    private final @Nullable Machine machine;
    private final PushControls controls = new PushControls(this);
    private final List<Solid> solids = new ArrayList<>();
    private final List<B> bodies = new ArrayList<>();
    private final List<B> parts = new ArrayList<>();

    /** The numbers of the bodies that are despawned for readers but still exist in the engine's world. */
    private final BitSet away = new BitSet();

    // Reused, so that a tick allocates nothing.
    private final Vector3d place = new Vector3d();
    private boolean closed;

    /**
     * Makes the solids of the scene in the engine, then attaches the bodies and after them the parts of the machine, so that
     * their numbers are consecutive.
     */
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

    /**
     * Returns one of the engine's bodies, for the thread that may access the world. Throws after {@link #close}, because access to a freed
     * native object would crash the JVM.
     */
    public final B body(int number) {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation of " + bodies.size() + " bodies was closed, and its world freed");
        }
        return bodies.get(number);
    }

    @Override
    public final int bodyCount() {
        return world.simulation().bodyCount();
    }

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

    final void move(int part, double x, double y, double z, double turn, double dtSeconds) {
        world.move(parts.get(part), x, y, z, turn, dtSeconds);
    }

    final void moveBody(int body, double x, double y, double z) {
        world.moveBody(body(body), x, y, z);
    }

    /** Teleports a body that was thrown out of the drum; readers do not interpolate the move. */
    final void putBack(int body, Vector3dc to) {
        moveBody(body, to.x(), to.y(), to.z());
        if (!away.get(body)) {
            world.simulation().teleported(body(body));
        }
    }

    /**
     * Randomly chooses a body, and pushes, teleports, hides or shows it. A hidden body is despawned for readers, while the engine keeps it.
     */
    public void stress(RandomGenerator random) {
        if (pushableCount() == 0) {
            return;
        }
        int body = random.nextInt(pushableCount());
        switch (random.nextInt(3)) {
            case 0 -> push(body, draw(random), draw(random), draw(random));
            case 1 -> {
                if (machine != null) {
                    machine.teleport(this, body, random);
                }
            }
            default -> goOrComeBack(body);
        }
    }

    private static double draw(RandomGenerator random) {
        return random.nextDouble(-MAX_PUSH_METRES_PER_SECOND, MAX_PUSH_METRES_PER_SECOND);
    }

    private void goOrComeBack(int body) {
        away.flip(body);
        if (away.get(body)) {
            world.simulation().detach(body(body));
        } else {
            world.simulation().attach(body(body), body);
        }
    }

    final BodyRestorer<B> restorer() {
        return new BodyRestorer<>() {
            @Override
            public B restore(long engineId, long userData) {
                away.clear((int) userData);
                return body((int) userData);
            }

            @Override
            public void remove(B body, long userData) {
                away.set((int) userData);
            }
        };
    }

    @Override
    public final void step(Tick tick) throws Exception {
        controls.apply(tick.input(), tick.dtSeconds());
        if (machine != null) {
            machine.step(this, tick);
        }
        super.step(tick);
    }

    @Override
    public final int pushableCount() {
        return machine == null ? bodies.size() : machine.tumbling();
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
