package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemSingleThreaded;
import com.github.stephengold.joltjni.JobSystemThreadPool;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.MapObj2Bp;
import com.github.stephengold.joltjni.MassProperties;
import com.github.stephengold.joltjni.ObjVsBpFilter;
import com.github.stephengold.joltjni.ObjVsObjFilter;
import com.github.stephengold.joltjni.PhysicsSettings;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.StateRecorderImpl;
import com.github.stephengold.joltjni.TempAllocator;
import com.github.stephengold.joltjni.TempAllocatorImplWithMallocFallback;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.enumerate.EOverrideMassProperties;
import com.github.stephengold.joltjni.enumerate.EPhysicsUpdateError;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.scene.BoxPile;

/**
 * Jolt's objects for one pile of boxes on a floor. Used by one thread at a time. After {@link #close} no
 * native object may be used: only the number of bodies is still known.
 */
final class JoltWorld implements AutoCloseable {

    /** Layers of objects, which here are the broad phase's layers too: what never moves has a tree of its own. */
    private static final int STATIC = 0;

    private static final int MOVING = 1;
    private static final int LAYERS = 2;

    private static final float FLOOR_HALF_EXTENT_METRES = 200;
    private static final float FLOOR_HALF_THICKNESS_METRES = 5;
    private static final float FRICTION = 0.5f;
    private static final float GRAVITY_METRES_PER_SECOND_SQUARED = -9.81f;

    private static final int COLLISION_STEPS = 1;
    private static final int BODY_MUTEXES_AUTOMATIC = 0;
    /** A step reserves room for every contact that there may be; beyond this the allocator would ask the system each time. */
    private static final long TEMPORARY_BYTES_PER_CONTACT = 1024;

    private static final long TEMPORARY_BYTES_BESIDES = 16 << 20;

    private final Natives natives = new Natives();
    private final int maxContacts;
    private final PhysicsSystem system;
    private final TempAllocator temporary;
    private final JobSystem workers;
    private final JobSystem alone;
    private final JoltContacts contacts;
    private final BodyInterface bodyInterface;
    private final Body[] bodies;

    /** Whether Jolt has the listener, which cannot be taken away again: the binding has no way to. */
    private boolean hasListener;

    JoltWorld(BoxPile pile, ContactPairs pairs, int workerThreads) {
        JoltNatives.load();
        bodies = new Body[pile.boxes()];
        maxContacts = Math.max(65_536, 16 * pile.boxes());
        // Created before the system, so that they are freed after it: it points to them until its end.
        MapObj2Bp layers = natives.own(new MapObj2Bp(LAYERS, LAYERS));
        layers.add(STATIC, STATIC).add(MOVING, MOVING);
        ObjVsBpFilter broadPhaseFilter = natives.own(new ObjVsBpFilter(LAYERS, LAYERS));
        broadPhaseFilter.disablePair(STATIC, STATIC);
        ObjVsObjFilter pairFilter = natives.own(new ObjVsObjFilter(LAYERS));
        pairFilter.disablePair(STATIC, STATIC);
        long temporaryBytes = maxContacts * TEMPORARY_BYTES_PER_CONTACT + TEMPORARY_BYTES_BESIDES;
        temporary =
                natives.own(new TempAllocatorImplWithMallocFallback((int) Math.min(Integer.MAX_VALUE, temporaryBytes)));
        workers = natives.own(new JobSystemThreadPool(Jolt.cMaxPhysicsJobs, Jolt.cMaxPhysicsBarriers, workerThreads));
        alone = natives.own(new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs));
        contacts = natives.own(new JoltContacts(null));
        system = natives.own(new PhysicsSystem());
        system.init(
                pile.boxes() + 1,
                BODY_MUTEXES_AUTOMATIC,
                maxContacts,
                maxContacts,
                layers,
                broadPhaseFilter,
                pairFilter);
        system.setGravity(0, GRAVITY_METRES_PER_SECOND_SQUARED, 0);
        try (PhysicsSettings settings = system.getPhysicsSettings()) {
            settings.setDeterministicSimulation(true);
            system.setPhysicsSettings(settings);
        }
        // Without locks: nothing else touches this world while the physics thread does.
        bodyInterface = system.getBodyInterfaceNoLock();
        addFloor();
        addBoxes(pile);
        BodySlots slots = new BodySlots();
        for (int box = 0; box < bodies.length; box++) {
            slots.add(bodies[box], box);
        }
        contacts.tell(pairs, slots);
        system.optimizeBroadPhase();
    }

    Body[] bodies() {
        return bodies;
    }

    BodyInterface bodyInterface() {
        return bodyInterface;
    }

    /**
     * Listens to contacts, or not, from the next update on. Once somebody has listened, the physics thread runs all jobs of an
     * update itself: the binding makes a Java thread of a worker for each single call of a listener, and that costs more than
     * the worker is worth. The bits are the same.
     */
    void listen(boolean toListen) {
        if (toListen && !hasListener) {
            hasListener = true;
            system.setContactListener(contacts);
        }
        contacts.listen(toListen);
    }

    /** Returns when the step is complete, with the worker thread idle again, if it was needed. */
    void update(double dtSeconds) {
        int error = system.update((float) dtSeconds, COLLISION_STEPS, temporary, hasListener ? alone : workers);
        if (error != EPhysicsUpdateError.None) {
            throw new IllegalStateException("Jolt's update of " + bodies.length + " boxes by " + dtSeconds
                    + " s failed with error bits " + error + " (1: manifold cache, 2: body pair cache, 4: contact"
                    + " constraints full, of " + maxContacts + " each)");
        }
    }

    /** Everything that Jolt's later updates depend on: bodies, contacts, what sleeps. */
    byte[] save() {
        try (StateRecorderImpl recorder = new StateRecorderImpl()) {
            system.saveState(recorder);
            return recorder.getData();
        }
    }

    void restore(byte[] state) {
        try (StateRecorderImpl recorder = new StateRecorderImpl()) {
            recorder.writeBytes(state);
            if (!system.restoreState(recorder)) {
                throw new IllegalStateException("Jolt cannot restore " + state.length + " bytes to a world of "
                        + bodies.length + " boxes; they must be those of a world that was built alike");
            }
        }
    }

    @Override
    public void close() {
        natives.close();
    }

    private void addFloor() {
        try (BoxShape shape =
                        new BoxShape(FLOOR_HALF_EXTENT_METRES, FLOOR_HALF_THICKNESS_METRES, FLOOR_HALF_EXTENT_METRES);
                BodyCreationSettings settings = new BodyCreationSettings(
                        shape, new RVec3(0, -FLOOR_HALF_THICKNESS_METRES, 0), new Quat(), EMotionType.Static, STATIC)) {
            settings.setFriction(FRICTION);
            bodyInterface.createAndAddBody(settings, EActivation.DontActivate);
        }
    }

    private void addBoxes(BoxPile pile) {
        try (BoxShape shape = new BoxShape(BoxPile.HALF_EXTENT);
                MassProperties mass = new MassProperties();
                BodyCreationSettings settings =
                        new BodyCreationSettings(shape, new RVec3(), new Quat(), EMotionType.Dynamic, MOVING)) {
            mass.setMass(BoxPile.MASS_KILOGRAMS);
            settings.setMassPropertiesOverride(mass);
            settings.setOverrideMassProperties(EOverrideMassProperties.CalculateInertia);
            settings.setFriction(FRICTION);
            pile.forEach((box, x, y, z) -> {
                settings.setPosition(x, y, z);
                bodies[box] = bodyInterface.createBody(settings);
                bodyInterface.addBody(bodies[box], EActivation.Activate);
            });
        }
    }
}
