package example.host;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.*;
import dev.escapement.physics.command.*;
import dev.escapement.physics.jolt.*;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.render.FrameView;
import dev.escapement.state.event.*;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.time.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.function.*;
import org.joml.Quaternionf;
import org.joml.Vector3f;

/** Rigid bodies in one dimension of a block game. The game names them by its chunks and entity numbers. Main thread of the game. */
final class BlockPhysics implements AutoCloseable {

    static final TickRate RATE = TickRate.hertz(60); // three physics ticks per tick of the game

    private static final int SIZE = 16;

    /** The game's code that moves an entity to a position. It must not keep the passed objects. */
    interface Mover {
        void move(long entity, Vector3f position, Quaternionf rotation);
    }

    /** A throw as data: recordings contain it, and replays repeat it. */
    record Throw(long entity, float upMetresPerSecond) {
        static final CommandType<Throw, Boolean> TYPE = CommandType.of(
                "throw",
                1,
                (thrown, to) -> {
                    to.writeLong(thrown.entity());
                    to.writeFloat(thrown.upMetresPerSecond());
                },
                from -> new Throw(from.readLong(), from.readFloat()));
    }

    final JoltWorldSimulation simulation = emptyWorld();
    final TickingWorld physics;
    private final FrameView view;
    private final EventStream events;
    private final Map<Long, Body> grounds = new HashMap<>(); // by chunk; only the physics thread uses it, in commands
    private final Map<Long, Body> entities = new HashMap<>(); // by the game's number; used in commands only
    private final Vector3f position = new Vector3f();
    private final Quaternionf rotation = new Quaternionf();

    /**
     * Creates the world of a dimension. On a server, {@code starter} adds the world to a host. In a test, it returns a driver, which the
     * test ticks.
     */
    BlockPhysics(Function<PhysicsServiceBuilder, TickingWorld> starter) {
        simulation.commands().on(Throw.TYPE, (tick, thrown) -> throwUp(thrown));
        physics = starter.apply(PhysicsService.builder(simulation).rate(RATE));
        view = FrameView.of(physics.newReader());
        events = physics.events(1024);
        physics.pause(); // takes no processor time until there is an entity; commands run in a pause, too
    }

    private static JoltWorldSimulation emptyWorld() {
        JoltNatives.load();
        PhysicsSystem system = new PhysicsSystem();
        MapObj2Bp layers = new MapObj2Bp(2, 2).add(0, 0).add(1, 1); // layer 0 for blocks, layer 1 for entities
        ObjVsObjFilter pairs = new ObjVsObjFilter(2).disablePair(0, 0);
        system.init(10_240, 0, 65_536, 65_536, layers, new ObjVsBpFilter(2, 2), pairs);
        JoltWorldSimulation simulation = new JoltWorldSimulation(
                system, new TempAllocatorMalloc(), new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        simulation.listenToContacts();
        return simulation;
    }

    /**
     * Loads a chunk, or replaces it after its blocks have changed; {@code heights} has 16 x 16 columns. The calling thread builds the
     * shape. A command only exchanges it for the old one.
     */
    CompletableFuture<Answer<Boolean>> load(int chunkX, int chunkZ, int[] heights) {
        StaticCompoundShapeSettings columns = new StaticCompoundShapeSettings();
        boolean empty = true;
        for (int z = 0; z < SIZE; z++) {
            for (int x = 0; x < SIZE; x++) {
                float half = heights[SIZE * z + x] / 2f;
                if (half > 0) {
                    columns.addShape(new Vec3(x + 0.5f, half, z + 0.5f), new Quat(), new BoxShape(0.5f, half, 0.5f));
                    empty = false;
                }
            }
        }
        if (empty) {
            return unload(chunkX, chunkZ); // Jolt allows no empty shape, so an empty chunk has no body
        }
        ShapeRefC shape = columns.create().get();
        return physics.command(tick -> {
            boolean replaced = removeGround(keyOf(chunkX, chunkZ));
            RVec3 corner = new RVec3(SIZE * (double) chunkX, 0, SIZE * (double) chunkZ);
            Body ground = create(shape.getPtr(), corner, EMotionType.Static, 0);
            grounds.put(keyOf(chunkX, chunkZ), ground); // not attached, because the game draws blocks itself
            return replaced;
        });
    }

    /** Unloads a chunk. Remove the entities in it first, or they fall. */
    CompletableFuture<Answer<Boolean>> unload(int chunkX, int chunkZ) {
        return physics.command(tick -> removeGround(keyOf(chunkX, chunkZ)));
    }

    private static long keyOf(int chunkX, int chunkZ) {
        return ((long) chunkX << 32) | (chunkZ & 0xFFFF_FFFFL);
    }

    private boolean removeGround(long chunk) {
        Body ground = grounds.remove(chunk);
        if (ground != null) {
            bodies().activateBodiesInAaBox( // wakes the bodies that lie on this ground
                            ground.getWorldSpaceBounds(), new BroadPhaseLayerFilter(), new ObjectLayerFilter());
            destroy(ground);
        }
        return ground != null;
    }

    void add(long entity, double x, double y, double z) {
        physics.spawn((tick, id) -> {
            Body body = create(new BoxShape(0.5f), new RVec3(x, y, z), EMotionType.Dynamic, 1);
            simulation.attach(id, body, entity);
            entities.put(entity, body);
            physics.resume(); // in the command, so that it comes after the pause of an earlier command
            return body;
        });
    }

    /** {@return the entity's last position, for the game to save with its chunk} */
    CompletableFuture<Answer<RVec3>> remove(long entity) {
        return physics.command(tick -> {
            Body body = Objects.requireNonNull(entities.remove(entity), "there is no entity " + entity);
            RVec3 last = body.getPosition();
            simulation.detach(body);
            destroy(body);
            if (entities.isEmpty()) {
                physics.pause();
            }
            return last;
        });
    }

    /** {@return the state of all bodies} Physics waits only for the copy. Write the file in {@code thenAcceptAsync}. */
    CompletableFuture<byte[]> save() {
        return physics.query(tick -> {
                    StateBuffer state = new StateBuffer();
                    simulation.save(state);
                    return state.toBytes();
                })
                .thenApply(Answer::value);
    }

    /** Returns to a saved state. Jolt refuses it if chunks or entities have come or gone since. */
    CompletableFuture<?> restore(byte[] saved) {
        return physics.execute(tick -> simulation.restore(new StateBuffer(saved)));
    }

    /** {@return whether the entity exists} */
    CompletableFuture<Answer<Boolean>> throwUp(long entity, float metresPerSecond) {
        return physics.command(Throw.TYPE, new Throw(entity, metresPerSecond));
    }

    private boolean throwUp(Throw thrown) {
        Body body = entities.get(thrown.entity());
        if (body != null) {
            bodies().setLinearVelocity(body.getId(), new Vec3(0, thrown.upMetresPerSecond(), 0));
        }
        return body != null;
    }

    private BodyInterface bodies() {
        return simulation.world().getBodyInterface();
    }

    private Body create(ConstShape shape, RVec3 place, EMotionType motion, int layer) {
        Body body = bodies().createBody(new BodyCreationSettings(shape, place, new Quat(), motion, layer));
        bodies().addBody(body, EActivation.Activate);
        return body;
    }

    private void destroy(Body body) {
        bodies().removeBody(body.getId());
        bodies().destroyBody(body.getId());
    }

    void drain(Consumer<? super BodyEvent> game) {
        events.drain(game);
    }

    /** Moves all entities to their newest positions. Call it once in each tick of the game; it never waits. */
    void tick(long nowNanos, Mover mover) {
        if (view.advance(nowNanos)) {
            Bodies bodies = view.shown().bodies();
            for (int slot = 0; slot < bodies.slotCount(); slot++) {
                if (bodies.exists(slot)) {
                    view.positionOfSlot(slot, position);
                    mover.move(bodies.userData(slot), position, view.rotationOfSlot(slot, rotation));
                }
            }
        }
    }

    @Override
    public void close() {
        view.close();
        events.close();
        physics.close();
    }
}
