package dev.escapement.bench.demo;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CapsuleShape;
import com.github.stephengold.joltjni.ContactListener;
import com.github.stephengold.joltjni.HingeConstraintSettings;
import com.github.stephengold.joltjni.JobSystemThreadPool;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.JoltPhysicsObject;
import com.github.stephengold.joltjni.MapObj2Bp;
import com.github.stephengold.joltjni.ObjVsBpFilter;
import com.github.stephengold.joltjni.ObjVsObjFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.TempAllocatorImplWithMallocFallback;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.enumerate.EOverrideMassProperties;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.joml.Vector3d;
import org.joml.Vector3dc;

/**
 * A pile or a machine in Jolt, in single precision, with one worker thread besides the physics thread. The same input gives the same bits
 * in every run of the same native library. {@link #close()} frees the native memory, not the garbage collector.
 */
public final class JoltBodies extends EngineBodies<Body> implements Restorable {

    private static final int WORKER_THREADS = 1;

    private final World world;

    /**
     * Builds the world. The first call in a JVM loads Jolt.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public JoltBodies(Scene scene) {
        this(scene, WORKER_THREADS);
    }

    /** Builds the world with a number of worker threads. The results are bit for bit the same for any number. */
    public JoltBodies(Scene scene, int workerThreads) {
        this(scene, new World(scene, workerThreads));
    }

    private JoltBodies(Scene scene, World world) {
        super(world, scene);
        this.world = world;
    }

    @Override
    public void save(StateBuffer to) {
        world.simulation.save(to);
    }

    @Override
    public void restore(StateBuffer from) {
        world.simulation.restore(from);
    }

    /**
     * Stresses a body as the superclass does. From the first call on, saved states include which bodies exist, so the world can be restored
     * to a time before a body spawned or despawned.
     */
    @Override
    public void stress(RandomGenerator random) {
        if (!world.simulation.restoresElsewhere()) {
            world.simulation.restoreBodiesWith(restorer());
        }
        super.stress(random);
    }

    /** Whether a body is awake: it moves or may move. */
    public boolean isAwake(int body) {
        return world.bodyInterface.isActive(body(body).getId());
    }

    private static final class World extends EngineWorld<Body> {

        /**
         * The object layers: static solids, bodies that forces move, parts of the machine that push those bodies, and parts that touch
         * nothing.
         */
        private static final int STATIC = 0;

        private static final int MOVING = 1;
        private static final int PUSHING = 2;
        private static final int FREE = 3;
        private static final int LAYERS = 4;

        /**
         * The layers of the broad phase, each a tree of bounding boxes. MET has the solids that moving bodies collide with, MEETING has the
         * moving bodies and those that touch nothing.
         */
        private static final int MET = 0;

        private static final int MEETING = 1;
        private static final int TREES = 2;

        private static final int BODY_MUTEXES_AUTOMATIC = 0;

        /**
         * Temporary memory of a step, per contact. It suffices for a step with the maximum number of contacts. With less, Jolt's allocator
         * would call malloc in each step.
         */
        private static final long TEMPORARY_BYTES_PER_CONTACT = 1280;

        /** The maximum speed of a body in a machine: a faster body could cross a wall within one tick. */
        private static final float FASTEST_METRES_PER_SECOND = 20;

        /**
         * All native objects. Each is freed explicitly, because the binding's own cleaner thread must not run beside an explicit {@code
         * close()}.
         */
        private final Deque<JoltPhysicsObject> natives = new ArrayDeque<>();

        private final Map<BodyShape.Form, ConstShape> shapes = new HashMap<>();
        private final PhysicsSystem system;
        private final BodyInterface bodyInterface;
        private final JoltWorldSimulation simulation;
        private final boolean isMachine;

        // Reused, because the binding's other getters allocate.
        private final RVec3 position = new RVec3();
        private final Quat rotation = new Quat();
        private final Vec3 vector = new Vec3();

        World(Scene scene, int workerThreads) {
            JoltNatives.load();
            int count = scene.solids().size();
            isMachine = scene.machine() != null;
            int maxContacts = Math.max(65_536, 16 * count);
            // The layers and filters are created before the physics system and so freed after it, because the system
            // points to them until it is freed.
            MapObj2Bp layers = own(new MapObj2Bp(LAYERS, TREES));
            layers.add(STATIC, MET);
            layers.add(MOVING, MEETING);
            layers.add(PUSHING, MET);
            layers.add(FREE, MEETING);
            ObjVsBpFilter broadPhaseFilter = own(new ObjVsBpFilter(LAYERS, TREES));
            ObjVsObjFilter pairFilter = own(new ObjVsObjFilter(LAYERS));
            allowOnly(broadPhaseFilter, pairFilter);
            long temporaryBytes = Math.min(Integer.MAX_VALUE, maxContacts * TEMPORARY_BYTES_PER_CONTACT);
            TempAllocatorImplWithMallocFallback temporary =
                    own(new TempAllocatorImplWithMallocFallback((int) temporaryBytes));
            JobSystemThreadPool workers =
                    own(new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, workerThreads));
            system = own(new PhysicsSystem());
            system.init(count, BODY_MUTEXES_AUTOMATIC, maxContacts, maxContacts, layers, broadPhaseFilter, pairFilter);
            system.setGravity(0, (float) scene.gravity(), 0);
            // No locks are needed, because no other thread accesses this world while the physics thread does.
            bodyInterface = system.getBodyInterfaceNoLock();
            simulation = new JoltWorldSimulation(system, temporary, workers);
            simulation.listenToContacts();
        }

        @Override
        JoltWorldSimulation simulation() {
            return simulation;
        }

        @Override
        void ready() {
            system.optimizeBroadPhase();
        }

        /** Lets only MOVING bodies search the trees for collisions. They find those with STATIC and PUSHING, too. */
        private static void allowOnly(ObjVsBpFilter trees, ObjVsObjFilter pairs) {
            for (int layer = 0; layer < LAYERS; layer++) {
                pairs.disablePair(layer, FREE);
                if (layer != MOVING) {
                    trees.disablePair(layer, MET);
                    trees.disablePair(layer, MEETING);
                }
            }
        }

        private <T extends JoltPhysicsObject> T own(T object) {
            natives.push(object);
            return object;
        }

        /**
         * Frees the native objects in the reverse order of their creation, because an object may point to earlier ones. The contact
         * listener comes last, because the system points to it until the system is freed.
         */
        @Override
        void free() {
            ContactListener listener = system.getContactListener();
            natives.forEach(JoltPhysicsObject::close);
            if (listener != null) {
                listener.close();
            }
        }

        private ConstShape shape(BodyShape.Form form) {
            return shapes.computeIfAbsent(form, wanted -> {
                if (wanted instanceof BodyShape.Sphere sphere) {
                    return own(new SphereShape(sphere.radius()));
                }
                if (wanted instanceof BodyShape.Capsule capsule) {
                    return own(new CapsuleShape(capsule.halfHeight(), capsule.radius()));
                }
                BodyShape.Box box = (BodyShape.Box) wanted;
                return own(new BoxShape(box.halfX(), box.halfY(), box.halfZ()));
            });
        }

        @Override
        Body add(Solid solid) {
            boolean isDynamic = solid.isDynamic();
            boolean isKinematic = solid.motion() == Motion.KINEMATIC;
            EMotionType type =
                    isDynamic ? EMotionType.Dynamic : isKinematic ? EMotionType.Kinematic : EMotionType.Static;
            int layer = !solid.touches() ? FREE : isDynamic ? MOVING : isKinematic ? PUSHING : STATIC;
            position.set(solid.x(), solid.y(), solid.z());
            setTurn(solid.turn());
            try (BodyCreationSettings settings =
                    new BodyCreationSettings(shape(solid.form()), position, rotation, type, layer)) {
                settings.setFriction((float) solid.friction());
                if (isDynamic) {
                    settings.getMassPropertiesOverride().setMass(solid.kilograms());
                    settings.setOverrideMassProperties(EOverrideMassProperties.CalculateInertia);
                }
                if (isMachine) {
                    settings.setMaxLinearVelocity(FASTEST_METRES_PER_SECOND);
                }
                Body body = bodyInterface.createBody(settings);
                bodyInterface.addBody(body, solid.awake() ? EActivation.Activate : EActivation.DontActivate);
                return body;
            }
        }

        @Override
        void hang(Body body, Vector3dc from) {
            RVec3 at = new RVec3(from.x(), from.y(), from.z());
            Vec3 axis = new Vec3(0, 0, 1);
            Vec3 normal = new Vec3(1, 0, 0);
            try (HingeConstraintSettings settings = new HingeConstraintSettings()) {
                settings.setPoint1(at);
                settings.setPoint2(at);
                settings.setHingeAxis1(axis);
                settings.setHingeAxis2(axis);
                settings.setNormalAxis1(normal);
                settings.setNormalAxis2(normal);
                system.addConstraint(own(settings.create(Body.sFixedToWorld(), body)));
            }
        }

        @Override
        Vector3dc position(Body body, Vector3d to) {
            body.getPositionAndRotation(position, rotation);
            return to.set(position.xx(), position.yy(), position.zz());
        }

        @Override
        void push(Body body, float kilograms, double dvx, double dvy, double dvz) {
            vector.set((float) dvx, (float) dvy, (float) dvz);
            vector.scaleInPlace(kilograms);
            // An impulse instead of a velocity. An impulse wakes a sleeping body, and setting a velocity would first
            // need a getter that allocates.
            bodyInterface.addImpulse(body.getId(), vector);
        }

        @Override
        void move(Body part, double x, double y, double z, double turn, double dtSeconds) {
            position.set(x, y, z);
            setTurn(turn);
            bodyInterface.moveKinematic(part.getId(), position, rotation, (float) dtSeconds);
        }

        @Override
        void moveBody(Body body, double x, double y, double z) {
            position.set(x, y, z);
            bodyInterface.setPosition(body.getId(), position, EActivation.Activate);
            vector.set(0, 0, 0);
            bodyInterface.setLinearAndAngularVelocity(body.getId(), vector, vector);
        }

        private void setTurn(double turn) {
            rotation.set(0, 0, (float) Sine.of(turn / 2), (float) Sine.cosine(turn / 2));
        }
    }
}
