package dev.escapement.bench.demo;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.BroadPhaseLayerInterface;
import com.github.stephengold.joltjni.ContactListener;
import com.github.stephengold.joltjni.JobSystemThreadPool;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.JoltPhysicsObject;
import com.github.stephengold.joltjni.ObjVsBpFilter;
import com.github.stephengold.joltjni.ObjVsObjFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.TempAllocatorImplWithMallocFallback;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.enumerate.EOverrideMassProperties;
import dev.escapement.physics.jolt.JoltBinding;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.replay.Restorable;
import dev.escapement.physics.replay.StateBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.joml.Vector3dc;

/**
 * A pile of boxes in Jolt, in single precision, with one worker thread besides the physics thread. The same input gives the same bits in
 * every run of the same native library. Native memory is freed by {@link #close()}, not by the garbage collector.
 */
public final class JoltPile extends EnginePile<Body> implements Restorable {

    private static final int WORKER_THREADS = 1;

    private final World world;
    // Reused, because the binding's other getters allocate.
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();
    private final Vec3 impulse = new Vec3();

    /**
     * Builds the world and, at the first time in a JVM, loads Jolt.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public JoltPile(BoxPile pile) {
        this(pile, WORKER_THREADS);
    }

    /** With more workers the bits are the same. */
    JoltPile(BoxPile pile, int workerThreads) {
        this(new World(
                List.of(new Boxes(BoxPile.HALF_EXTENT, BoxPile.MASS_KILOGRAMS, true, pile.places())),
                (float) BoxPile.GRAVITY_METRES_PER_SECOND_SQUARED,
                (float) BoxPile.FRICTION,
                workerThreads));
    }

    /**
     * Builds a world of other boxes.
     *
     * @param gravity  upwards, metres per second squared
     * @param friction of the boxes and the floor
     * @param boxes    numbered in this order
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public JoltPile(float gravity, float friction, List<Boxes> boxes) {
        this(new World(boxes, gravity, friction, WORKER_THREADS));
    }

    private JoltPile(World world) {
        super(world.simulation, world.boxes, world::free);
        this.world = world;
    }

    /**
     * Boxes that are alike.
     *
     * @param halfExtent half the edge, metres
     * @param kilograms  the mass of each
     * @param awake      whether they are awake at first
     * @param places     x, y and z of each, metres
     */
    public record Boxes(float halfExtent, float kilograms, boolean awake, List<double[]> places) {}

    @Override
    public void save(StateBuffer to) {
        world.simulation.save(to);
    }

    @Override
    public void restore(StateBuffer from) {
        world.simulation.restore(from);
    }

    @Override
    public Vector3dc position(int body) {
        box(body).getPositionAndRotation(position, rotation);
        return place.set(position.xx(), position.yy(), position.zz());
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        impulse.set((float) dvx, (float) dvy, (float) dvz);
        impulse.scaleInPlace(world.kilograms[body]);
        // An impulse and not a velocity: it wakes a sleeping body, and needs no getter that allocates.
        world.bodyInterface.addImpulse(box(body).getId(), impulse);
    }

    /** Whether a box is awake: it moves or may move. */
    public boolean isAwake(int body) {
        return world.bodyInterface.isActive(box(body).getId());
    }

    /** Jolt's objects for the pile on a floor, and the simulation around them. */
    private static final class World {

        /** Layers of objects, which here are also the broad phase's layers: static bodies have their own tree. */
        private static final int STATIC = 0;

        private static final int MOVING = 1;
        private static final int LAYERS = 2;

        private static final int BODY_MUTEXES_AUTOMATIC = 0;

        /** Temporary memory of a step, enough for the maximum of contacts; beyond it the allocator would call the system each time. */
        private static final long TEMPORARY_BYTES_PER_CONTACT = 1280;

        /** Freed explicitly, because the binding's own cleaner must not run beside an explicit {@code close()}. */
        private final Deque<JoltPhysicsObject> natives = new ArrayDeque<>();

        private final PhysicsSystem system;
        private final BodyInterface bodyInterface;
        private final List<Body> boxes = new ArrayList<>();
        private final JoltWorldSimulation simulation;
        private final float[] kilograms;

        World(List<Boxes> all, float gravity, float friction, int workerThreads) {
            JoltNatives.load();
            int count = all.stream().mapToInt(alike -> alike.places().size()).sum();
            kilograms = new float[count];
            int maxContacts = Math.max(65_536, 16 * count);
            // Created before the system, so that they are freed after it: it points to them until its end.
            BroadPhaseLayerInterface layers = own(JoltBinding.layers(STATIC, MOVING));
            ObjVsBpFilter broadPhaseFilter = own(new ObjVsBpFilter(LAYERS, LAYERS));
            broadPhaseFilter.disablePair(STATIC, STATIC);
            ObjVsObjFilter pairFilter = own(new ObjVsObjFilter(LAYERS));
            pairFilter.disablePair(STATIC, STATIC);
            long temporaryBytes = Math.min(Integer.MAX_VALUE, maxContacts * TEMPORARY_BYTES_PER_CONTACT);
            TempAllocatorImplWithMallocFallback temporary =
                    own(new TempAllocatorImplWithMallocFallback((int) temporaryBytes));
            JobSystemThreadPool workers =
                    own(new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, workerThreads));
            system = own(new PhysicsSystem());
            JoltBinding.init(
                    system,
                    count + 1,
                    BODY_MUTEXES_AUTOMATIC,
                    maxContacts,
                    maxContacts,
                    layers,
                    broadPhaseFilter,
                    pairFilter);
            system.setGravity(0, gravity, 0);
            // Without locks: nothing else touches this world while the physics thread does.
            bodyInterface = JoltBinding.bodyInterfaceNoLock(system);
            addFloor(friction);
            all.forEach(alike -> addBoxes(alike, friction));
            system.optimizeBroadPhase();
            simulation = new JoltWorldSimulation(system, temporary, workers);
            simulation.listenToContacts();
        }

        private <T extends JoltPhysicsObject> T own(T object) {
            natives.push(object);
            return object;
        }

        /** The last one created first: each may point to earlier ones. The system points to its listener until its end. */
        void free() {
            ContactListener listener = system.getContactListener();
            natives.forEach(JoltPhysicsObject::close);
            if (listener != null) {
                listener.close();
            }
        }

        private void addFloor(float friction) {
            try (BoxShape shape = new BoxShape(
                            BoxPile.FLOOR_HALF_EXTENT_METRES,
                            BoxPile.FLOOR_HALF_THICKNESS_METRES,
                            BoxPile.FLOOR_HALF_EXTENT_METRES);
                    BodyCreationSettings settings = new BodyCreationSettings(
                            shape,
                            new RVec3(0, -BoxPile.FLOOR_HALF_THICKNESS_METRES, 0),
                            new Quat(),
                            EMotionType.Static,
                            STATIC)) {
                settings.setFriction(friction);
                bodyInterface.createAndAddBody(settings, EActivation.DontActivate);
            }
        }

        private void addBoxes(Boxes alike, float friction) {
            try (BoxShape shape = new BoxShape(alike.halfExtent());
                    BodyCreationSettings settings =
                            new BodyCreationSettings(shape, new RVec3(), new Quat(), EMotionType.Dynamic, MOVING)) {
                settings.getMassPropertiesOverride().setMass(alike.kilograms());
                settings.setOverrideMassProperties(EOverrideMassProperties.CalculateInertia);
                settings.setFriction(friction);
                for (double[] place : alike.places()) {
                    settings.setPosition(place[0], place[1], place[2]);
                    Body body = bodyInterface.createBody(settings);
                    bodyInterface.addBody(body, alike.awake() ? EActivation.Activate : EActivation.DontActivate);
                    kilograms[boxes.size()] = alike.kilograms();
                    boxes.add(body);
                }
            }
        }
    }
}
