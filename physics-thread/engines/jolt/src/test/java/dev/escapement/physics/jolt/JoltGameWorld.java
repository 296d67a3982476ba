package dev.escapement.physics.jolt;

import static java.util.Objects.requireNonNull;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.BroadPhaseLayerInterface;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemSingleThreaded;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.JoltPhysicsObject;
import com.github.stephengold.joltjni.MotionProperties;
import com.github.stephengold.joltjni.ObjVsBpFilter;
import com.github.stephengold.joltjni.ObjVsObjFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.ShapeRefC;
import com.github.stephengold.joltjni.ShapeResult;
import com.github.stephengold.joltjni.StaticCompoundShapeSettings;
import com.github.stephengold.joltjni.TempAllocator;
import com.github.stephengold.joltjni.TempAllocatorImplWithMallocFallback;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.enumerate.EPhysicsUpdateError;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.world.GameWorld;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.Deque;

class JoltGameWorld implements GameWorld<PhysicsSystem, Body> {

    private static final int STATIC = 0;
    private static final int MOVING = 1;
    private static final int NOWHERE = 2;
    private static final int LAYERS = 3;
    private static final int MAX_BODIES = 1000;

    /** The maximum number of contacts, so small that a crowd in one place exceeds it. */
    static final int MAX_CONTACTS = 200;

    /** The native objects, freed in the reverse order, because each may point to earlier ones. */
    private final Deque<JoltPhysicsObject> natives = new ArrayDeque<>();

    private final PhysicsSystem system;
    private final TempAllocator allocator;
    private final JobSystem jobs;
    private final BodyInterface bodyInterface;

    JoltGameWorld() {
        JoltNatives.load();
        BroadPhaseLayerInterface layers = own(createLayers(STATIC, MOVING, MOVING));
        ObjVsBpFilter broadPhaseFilter = own(new ObjVsBpFilter(LAYERS, 2));
        broadPhaseFilter.disablePair(STATIC, STATIC);
        ObjVsObjFilter pairFilter = own(new ObjVsObjFilter(LAYERS));
        pairFilter.disablePair(STATIC, STATIC);
        for (int layer = 0; layer < LAYERS; layer++) {
            pairFilter.disablePair(NOWHERE, layer);
        }
        allocator = own(new TempAllocatorImplWithMallocFallback(1 << 20));
        jobs = own(new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        system = own(new PhysicsSystem());
        JoltCalls.init(system, MAX_BODIES, MAX_CONTACTS, MAX_CONTACTS, layers, broadPhaseFilter, pairFilter);
        bodyInterface = JoltCalls.bodies(system);
        add(0, -1, 50, EMotionType.Static, 0, 0, 50, 1);
    }

    /** Maps each layer to a broad-phase layer, by the class that the version of jolt-jni has for that. */
    static BroadPhaseLayerInterface createLayers(int... broadPhaseLayers) {
        try {
            boolean isOld = JoltMember.of("MapObj2Bp.class").find(JoltGameWorld.class.getClassLoader()) != null;
            String table = isOld ? "MapObj2Bp" : "BroadPhaseLayerInterfaceTable"; // from 0.9.10 on
            Object layers = find(table + ".<init>(II)V").invoke(broadPhaseLayers.length, 2);
            MethodHandle map =
                    find(table + (isOld ? ".add(II)L~MapObj2Bp;" : ".mapObjectToBroadPhaseLayer(II)L~" + table + ";"));
            for (int layer = 0; layer < broadPhaseLayers.length; layer++) {
                map.invoke(layers, layer, broadPhaseLayers[layer]);
            }
            return (BroadPhaseLayerInterface) layers;
        } catch (Throwable thrown) {
            throw new AssertionError("jolt-jni has no table of layers", thrown);
        }
    }

    /** Adds a part to a compound, by the method that returns nothing before 3.10.0. */
    static void addShape(StaticCompoundShapeSettings compound, Vec3 at, Quat turned, ConstShape part) {
        String method = "StaticCompoundShapeSettings.addShape"
                + "(L~readonly/Vec3Arg;L~readonly/QuatArg;L~readonly/ConstShape;)";
        MethodHandle old = JoltMember.of(method + "V").find(JoltGameWorld.class.getClassLoader());
        try {
            (old != null ? old : find(method + "L~CompoundShapeSettings;")).invoke(compound, at, turned, part);
        } catch (Throwable thrown) {
            throw new AssertionError("jolt-jni could not add a part", thrown);
        }
    }

    private static MethodHandle find(String member) {
        return requireNonNull(JoltMember.of(member).find(JoltGameWorld.class.getClassLoader()), member);
    }

    JoltWorldSimulation simulate() {
        JoltWorldSimulation simulation = simulateWithoutContacts();
        simulation.listenToContacts();
        return simulation;
    }

    JoltWorldSimulation simulateWithoutContacts() {
        return simulateWith(jobs);
    }

    BodyInterface bodyInterface() {
        return bodyInterface;
    }

    JoltWorldSimulation simulateWith(JobSystem workers) {
        return new JoltWorldSimulation(system, allocator, workers);
    }

    JoltWorldSimulation simulateWith(TempAllocator temporary) {
        return new JoltWorldSimulation(system, temporary, jobs);
    }

    @Override
    public PhysicsSystem world() {
        return system;
    }

    @Override
    public Body addPlatform(double x, double y) {
        return add(x, y, 0.5f, EMotionType.Kinematic, 0, 0, 4, 0.25);
    }

    @Override
    public void remove(Body body) {
        int id = body.getId();
        bodyInterface.removeBody(id);
        bodyInterface.destroyBody(id);
    }

    @Override
    public void setVelocity(Body body, double vx, double vy) {
        bodyInterface.setLinearVelocity(body.getId(), new Vec3((float) vx, (float) vy, 0));
    }

    @Override
    public boolean spin(Body body, double wx, double wy, double wz) {
        MotionProperties motion = body.getMotionProperties();
        motion.setMaxAngularVelocity(1e5f);
        motion.setAngularDamping(0);
        bodyInterface.setAngularVelocity(body.getId(), new Vec3((float) wx, (float) wy, (float) wz));
        return true;
    }

    @Override
    public void turn(Body body, double angle) {
        Quat to = new Quat(0, 0, (float) Math.sin(angle / 2), (float) Math.cos(angle / 2));
        bodyInterface.setPositionAndRotation(body.getId(), body.getPosition(), to, EActivation.DontActivate);
    }

    @Override
    public void place(Body body, double x, double y) {
        bodyInterface.setPosition(body.getId(), new RVec3(x, y, 0), EActivation.DontActivate);
    }

    @Override
    public Body addFixed(double x, double y, double... boxes) {
        return add(x, y, 0.5f, EMotionType.Static, boxes);
    }

    @Override
    public Body addShaped(double x, double y, double... boxes) {
        return add(x, y, 0.5f, EMotionType.Dynamic, boxes);
    }

    private Body add(double x, double y, float halfDepth, EMotionType motion, double... boxes) {
        int layer = motion == EMotionType.Static ? STATIC : MOVING;
        StaticCompoundShapeSettings compound = own(new StaticCompoundShapeSettings());
        for (int i = 0; i < boxes.length; i += 4) {
            addShape(
                    compound,
                    new Vec3((float) boxes[i], (float) boxes[i + 1], 0),
                    new Quat(),
                    new BoxShape((float) boxes[i + 2], (float) boxes[i + 3], halfDepth));
        }
        try (ShapeResult made = compound.create();
                ShapeRefC shape = made.get();
                BodyCreationSettings settings =
                        new BodyCreationSettings(shape, new RVec3(x, y, 0), new Quat(), motion, layer)) {
            Body body = bodyInterface.createBody(settings);
            bodyInterface.addBody(body, EActivation.Activate);
            return body;
        }
    }

    @Override
    public boolean setSensor(Body body, boolean isSensor) {
        body.setIsSensor(isSensor);
        return true;
    }

    @Override
    public boolean touchNothing(Body body) {
        bodyInterface.setObjectLayer(body.getId(), NOWHERE);
        return true;
    }

    @Override
    public void step(double dtSeconds) {
        int error = system.update((float) dtSeconds, 1, allocator, jobs);
        if (error != EPhysicsUpdateError.None) {
            throw new IllegalStateException("error bits " + error);
        }
    }

    @Override
    public double[] pose(Body body) {
        RVec3 position = body.getPosition();
        Quat rotation = body.getRotation();
        return new double[] {
            position.xx(),
            position.yy(),
            position.zz(),
            rotation.getX(),
            rotation.getY(),
            rotation.getZ(),
            rotation.getW()
        };
    }

    @Override
    public boolean isAsleep(Body body) {
        return !body.isActive();
    }

    @Override
    public void close() {
        while (!natives.isEmpty()) {
            JoltPhysicsObject object = natives.pop();
            if (object.ownsNativeObject()) { // 3.0 asserts that
                object.close();
            }
        }
    }

    private <T extends JoltPhysicsObject> T own(T object) {
        natives.push(object);
        return object;
    }
}
