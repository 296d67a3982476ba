package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.CharacterVirtual;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemSingleThreaded;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RMat44;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.TempAllocator;
import com.github.stephengold.joltjni.TempAllocatorMalloc;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.VehicleConstraint;
import com.github.stephengold.joltjni.enumerate.EPhysicsUpdateError;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.physics.world.ContactTiming;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.Part;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.world.BodyShape;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around an existing system of Jolt.
 *
 * <pre>{@code
 * JoltNatives.load();
 * PhysicsSystem system = makeSystem();
 * JoltWorldSimulation simulation = new JoltWorldSimulation(system, allocator, jobs);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.execute(tick -> {
 *     system.getBodyInterface().addImpulse(crate.getId(), up); // wakes it, which crate.addImpulse does not
 * });
 * }</pre>
 *
 * <p><b>Steps.</b> A tick is one update of the tick's length, with one collision step, or {@linkplain #collisionSteps more}; do not call
 * {@code update} any more. Updates by other code cannot be refused; {@link #touchWatch()} detects the bodies that they move.
 *
 * <p><b>Limits.</b> If more bodies touch than {@code PhysicsSystem.init} has made room for, Jolt drops contacts, and bodies fall through
 * each other. The log of {@code dev.escapement.physics} says so, once, and {@link #counts()} has the number of such ticks.
 *
 * <p><b>Kinematic bodies.</b> Call {@code bodyInterface.moveKinematic(id, position, rotation, dt)} in the step of a {@code Simulation}
 * around this one, with the tick's length: this simulation's step moves the body there, and the body carries and pushes the bodies that it
 * touches.
 * {@code Body.moveKinematic} does the same, but does not wake a body that has stood still for half a second; {@code setPosition} carries
 * nothing.
 *
 * <p><b>Bodies.</b> Each tick checks by id that the attached bodies exist, so that a body that was destroyed while it was attached fails
 * the service and does not crash the JVM. If a body may turn by more than half a turn a tick, set its limit of angular velocity before you
 * attach it, because the limit is read then.
 *
 * <p><b>Joints</b> are not shown: jolt-jni does not expose the bodies of a constraint.
 *
 * <p><b>Contacts</b> are reported after {@link #listenToContacts()} only, up to 2 cm before bodies touch. If events are wanted without this
 * call, the log of {@code dev.escapement.physics} says so, once. A contact gives a shape as Jolt's id of the part of a compound or the
 * triangle of a mesh, and any other shape as -1. Jolt joins the contacts of parts that have the same normal, unless a body refuses {@code
 * setUseManifoldReduction}. The key of a body that is not attached is its id. Jolt removes the contacts of bodies that fall asleep; this
 * simulation lets them continue while both bodies are in the system, their layers collide, and neither begins or ceases to be a sensor. If
 * a body is detached while its partner sleeps, the partner's next contacts are reported when it wakes.
 *
 * <p><b>Workers.</b> Any number of workers gives the same bits. From the first tick whose contacts are wanted, the physics thread updates
 * without workers: the binding attaches a Java thread for each call of a listener by a worker, which costs more than a worker saves.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run of the same native library, for any number of workers, unless
 * the system's settings say {@code setDeterministicSimulation(false)}, which jolt-jni 6.0.0 has no more.
 *
 * <p><b>Saved states</b> have Jolt's own state: bodies, contacts, constraints, and which bodies sleep; and from this simulation which
 * bodies are attached and which one is dragged. They do not have shapes, materials, damping, gravity factors, motion types or limits, which
 * stay as they are: if bodies have come or gone since, the game has to {@linkplain #restoreBodiesWith put them back}. Bodies keep their
 * ids, also in another process that starts from the state, unless ids were reserved. Bodies that are created later get the same ids from
 * Jolt as without the restore, unless unattached bodies come and go hundreds of times between two saves. To save the next ids, a save takes
 * 25 us for each id that has become free since the previous save.
 *
 * <p>Steps and captures allocate nothing on the Java heap, except for contacts that begin while they are wanted.
 */
public final class JoltWorldSimulation extends WorldSimulation<PhysicsSystem, Body> implements Restorable {

    /** A pose is a position of three numbers, and a quaternion of four. */
    private static final int POSE_NUMBERS = 7;

    private static final int MAX_COLLISION_STEPS = 16;

    private final PhysicsSystem system;
    private final TempAllocator allocator;
    private final BodyInterface bodyInterface;
    private final AttachedBodies attached = new AttachedBodies();
    private final BodyReads reads;
    private final BodyIds ids;

    /** Identifies the library in a saved state, because another version may save other bytes. */
    private final String header = "jolt-jni " + Jolt.versionString() + (BodyReads.IS_DOUBLE ? " Dp" : " Sp");

    // Scratch objects, because the binding's other getters allocate.
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();
    private final Vec3 velocity = new Vec3();

    private JobSystem jobs;
    private @Nullable JobSystem ownJobs;
    private int collisionSteps = 1;
    private boolean stepped;
    // Written by the physics thread alone. Atomic, so that any thread may read it; it orders nothing else.
    private final AtomicLong fullBuffers = new AtomicLong();
    private boolean contactsReported;
    private boolean contactsMissed;
    private @Nullable BodyRestorer<Body> restorer;

    /** The system's contact listener, if an adapter has set it. */
    private @Nullable JoltContacts contacts;

    /**
     * Wraps a system, which belongs to this simulation until {@link #close()}.
     *
     * @param system    the system to tick
     * @param allocator the temporary memory of updates, of this simulation alone unless it is a {@link TempAllocatorMalloc}; the game frees
     *                  it after the end. If a {@code TempAllocatorImpl} is too small, Jolt ends the process (exit code 134): take 1 MiB,
     *                  and 1,280 bytes for each of {@code maxContactConstraints}, or a {@code TempAllocatorImplWithMallocFallback}
     * @param jobs      the worker threads of updates; the game frees it after the end
     * @throws IllegalStateException if the system or the allocator belongs to another simulation, or the binding lacks a call
     */
    public JoltWorldSimulation(PhysicsSystem system, TempAllocator allocator, JobSystem jobs) {
        super(
                Objects.requireNonNull(system, "system must not be null; pass the system to tick"),
                POSE_NUMBERS,
                3,
                allocator instanceof TempAllocatorMalloc ? null : allocator); // malloc may serve several simulations
        this.system = system;
        this.allocator = Objects.requireNonNull(allocator, "allocator must not be null; pass a TempAllocator");
        this.jobs = Objects.requireNonNull(jobs, "jobs must not be null; pass a JobSystem");
        JoltNatives.requireMembers(); // the game may have loaded the library itself
        // The interface without locks: only the physics thread touches the system.
        bodyInterface = JoltCalls.bodies(system);
        ids = new BodyIds(system, bodyInterface);
        reads = new BodyReads(system, bodyInterface, attached);
        if (system.getContactListener() instanceof JoltContacts) { // set by an earlier simulation; Jolt still calls it
            takeListener();
        }
    }

    /**
     * Returns the native library that computes the states, and loads it. Another library may compute other bits.
     *
     * @return its Maven coordinates, with the version and the precision
     * @throws UnsupportedPlatformException if there is none for the running platform
     */
    public static String version() {
        JoltNatives.load();
        return JoltNatives.loadedLibrary().coordinates();
    }

    /**
     * {@return the source of a wheel's pose, for {@link #attachPart}} The wheel's x points along the axle to the right, its y up. Each
     * capture allocates a matrix.
     *
     * @param vehicle the vehicle; detach its wheels before it is freed
     * @param index   the number of the wheel
     * @param speed   the speed of the wheel, radians a second, positive forwards: the car's speed over the radius
     * @throws IllegalArgumentException if there is no such wheel
     */
    public static Part.Source wheel(VehicleConstraint vehicle, int index, DoubleSupplier speed) {
        int wheels = vehicle.countWheels();
        if (index < 0 || index >= wheels) { // Jolt would end the JVM
            throw new IllegalArgumentException("there is no wheel " + index + ": the vehicle has 0 to " + (wheels - 1));
        }
        Vec3 x = new Vec3(1, 0, 0);
        Vec3 y = new Vec3(0, 1, 0);
        return (slot, poses) -> {
            try (RMat44 placed = vehicle.getWheelWorldTransform(index, x, y)) {
                write(placed.getTranslation(), placed.getQuaternion(), slot, poses);
                Vec3 right = placed.getAxisX(); // a forward turn is negative about this axis
                float spin = (float) -speed.getAsDouble();
                poses.angularVelocity(slot, spin * right.getX(), spin * right.getY(), spin * right.getZ());
            }
        };
    }

    /**
     * {@return the source of the pose of a character without a body, for {@link #attachPart}} The game updates the character in each step.
     * The part has the contacts of the character's inner body, and none if {@code CharacterVirtualSettings.setInnerBodyShape} gave it none.
     *
     * @param character the character; detach it before it is freed
     */
    public static Part.Source character(CharacterVirtual character) {
        Objects.requireNonNull(character, "character must not be null; pass one");
        RVec3 at = new RVec3();
        Quat turned = new Quat();
        return new Part.Source() {
            @Override
            public void write(int slot, PoseWriter poses) {
                character.getPositionAndRotation(at, turned);
                JoltWorldSimulation.write(at, turned, slot, poses);
            }

            @Override
            public Object engineObject() {
                return character.getInnerBodyId();
            }
        };
    }

    private static void write(RVec3 at, Quat turned, int slot, PoseWriter poses) {
        poses.setInWorld(slot, at.xx(), at.yy(), at.zz(), turned.getX(), turned.getY(), turned.getZ(), turned.getW());
    }

    /**
     * Sets the number of equal steps into which Jolt divides each tick, initially 1. At a low rate one is too few for a stack: ten boxes
     * stand with 3 at 20 Hz and with 4 at 15 Hz. Each of these steps costs as much as a whole tick with one step. The number is part of a
     * log: a replay with another number is refused.
     *
     * @param steps 1 to 16
     * @throws IllegalArgumentException if the number is less or more
     * @throws IllegalStateException    after the first tick
     */
    public void collisionSteps(int steps) {
        world();
        if (steps < 1 || steps > MAX_COLLISION_STEPS) {
            throw new IllegalArgumentException("a tick has 1 to " + MAX_COLLISION_STEPS
                    + " collision steps, but is to have " + steps + "; for shorter steps raise the rate of the ticks");
        }
        if (stepped || isTicking()) { // a recording has written its header, which has the number
            throw new IllegalStateException("a run has one number of collision steps, this one " + collisionSteps
                    + ", and not " + steps + " from now on; set it before the service is built");
        }
        collisionSteps = steps;
    }

    /** {@return the number of {@linkplain #collisionSteps collision steps} as a setting, or an empty text if there is one step} */
    @Override
    public String settings() {
        return collisionSteps == 1 ? "" : "collisionSteps(" + collisionSteps + ")";
    }

    /**
     * {@return the counts {@code detected-teleports} and {@code ticks-with-dropped-contacts}, the number of ticks in which a buffer of Jolt
     * was full; re-simulated ticks count again}
     */
    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>(super.counts());
        counts.put("ticks-with-dropped-contacts", fullBuffers.getOpaque());
        return counts;
    }

    /**
     * Reports contacts from now on, in ticks whose events are wanted. The first such tick replaces the system's contact listener for ever,
     * because old versions of the binding cannot remove one; a {@link CustomContactListener} that the game has set still gets all calls,
     * and collisions that it rejects are no contacts.
     *
     * @throws IllegalStateException if the game's listener is of another kind, or another thread ticks the world
     */
    public void listenToContacts() {
        JoltContacts.requireToShare(world());
        contactsReported = true;
    }

    private void takeListener() {
        contacts = JoltContacts.of(system);
        contacts.report(contacts(), this::sideAt, closingSpeeds(), this::bodyAt);
        if (!(jobs instanceof JobSystemSingleThreaded)) {
            ownJobs = new JobSystemSingleThreaded(Jolt.cMaxPhysicsJobs);
            jobs = ownJobs;
        }
    }

    /**
     * Sets the restorer for saved states in which other bodies are attached. On a restore it puts back the bodies that have gone since the
     * state was saved, and removes the bodies that have come. Without a restorer such a state is refused.
     *
     * <p>Bodies must get their old ids of Jolt again. When {@link BodyRestorer#restore} is called, the next body that is created has that
     * id: create it with {@code createBody}, and no other. A body that was removed from the system, but not destroyed, still has its id:
     * add it again.
     *
     * @param newRestorer puts back and removes bodies
     * @throws IllegalStateException if another thread ticks the world, or the simulation is closed
     */
    public void restoreBodiesWith(BodyRestorer<Body> newRestorer) {
        world();
        restorer = Objects.requireNonNull(newRestorer, "newRestorer must not be null; without this call there is none");
    }

    /** Returns true if {@link #restoreBodiesWith} was called. */
    @Override
    public boolean restoresElsewhere() {
        return restorer != null;
    }

    /** Saves the state. Allocates as many bytes as the state has: some 400 for each active body. */
    @Override
    public void save(StateBuffer to) {
        PhysicsSystem saved = world();
        to.putHeader(header, saved.getNumBodies()).put((long) JoltState.constraints(saved));
        saveBodies(to, this::engineId);
        drag().save(to);
        ids.save(to);
        to.put(JoltState.save(saved));
    }

    /**
     * Restores a state.
     *
     * @throws RestoreRefusedException if another engine, version or precision saved it; bodies have come or gone since, and nothing
     *                                 {@linkplain #restoreBodiesWith puts them back}; or none have, but there are more or fewer
     *                                 constraints, or fewer bodies that are not attached
     * @throws IllegalStateException   if Jolt finds other bodies or constraints. The system may then be restored in part
     */
    @Override
    public void restore(StateBuffer from) {
        PhysicsSystem restored = world();
        long bodies = from.getHeader(header);
        long constraints = from.getLong();
        try (BodyIds.Placeholders placeholders = ids.new Placeholders()) {
            BodyRestorer<Body> exact = restorer == null ? null : placeholders.before(restorer);
            restoreBodies(from, this::engineId, exact, () -> JoltState.require(restored, bodies, constraints));
            drag().restore(from);
            placeholders.restore(from);
        }
        JoltState.restore(restored, from.getBytes());
        worldRestored();
    }

    /** Returns the id that the body had when it was attached, because a destroyed body cannot be read. */
    private long engineId(Body body) {
        int index = attached.find(body);
        return index == AttachedBodies.NONE ? body.getId() : attached.id(index);
    }

    @Override
    protected void advance(Tick tick) {
        ids.ticked();
        boolean toReport = contactsReported && tick.eventsWanted();
        if (tick.eventsWanted() && !contactsReported && !contactsMissed) {
            contactsMissed = true;
            System.getLogger("dev.escapement.physics")
                    .log(
                            System.Logger.Level.WARNING,
                            "The events of tick " + tick.number() + " are wanted, but will have no contacts: call"
                                    + " listenToContacts() of the JoltWorldSimulation before the start");
        }
        if (toReport && contacts == null) {
            takeListener();
        }
        if (contacts != null) {
            contacts.listen(toReport);
        }
        stepped = true;
        int error = system.update((float) tick.dtSeconds(), collisionSteps, allocator, jobs);
        if (contacts != null) {
            contacts.listen(false);
        }
        if (error != EPhysicsUpdateError.None) {
            full(tick.number(), error);
        }
    }

    private void full(long tick, int error) {
        fullBuffers.setOpaque(fullBuffers.getPlain() + 1);
        if (fullBuffers.getPlain() > 1) {
            return;
        }
        System.getLogger("dev.escapement.physics")
                .log(
                        System.Logger.Level.WARNING,
                        "In tick " + tick + " Jolt had no room for all contacts of " + system.getNumBodies()
                                + " bodies, and dropped some (error bits " + error + "). Double maxBodyPairs"
                                + " and maxContactConstraints of PhysicsSystem.init. It is the first; those after it are"
                                + " only counted, as ticks-with-dropped-contacts.");
    }

    @Override
    protected void bodyAttached(Body body) {
        attached.add(body);
        ids.attached(attached.id(attached.size() - 1));
    }

    @Override
    protected void bodyDetached(Body body) {
        attached.remove(body);
    }

    /** Returns the queries of Jolt. The query world shares the system's layers and filters: close it before the game frees these. */
    @Override
    protected QueryBodies<Body, ?> queryBodies() {
        return new JoltQueryBodies(system, bodyInterface);
    }

    @Override
    protected boolean isInWorld(Body body) {
        int index = attached.find(body);
        return index == AttachedBodies.NONE ? isOfThisSystem(body) : bodyInterface.isAdded(attached.id(index));
    }

    /** Returns whether a body is in this system: bodies of two systems may have the same id. */
    private boolean isOfThisSystem(Body body) {
        int id = body.getId();
        return bodyInterface.isAdded(id) && JoltCalls.body(system, id).va() == body.va();
    }

    @Override
    protected int findRemoved() {
        return reads.read();
    }

    @Override
    protected boolean isAsleep(Body body) {
        return !reads.isActive(attached.find(body));
    }

    @Override
    protected void writePose(Body body, int slot, PoseWriter poses) {
        BodyReads.readPose(body, bodyInterface, position, rotation);
        write(position, rotation, slot, poses);
        if (isFast(attached.maxSpeed(attached.find(body)))) {
            Vec3 spin = body.getAngularVelocity();
            writeSpin(poses, slot, spin.getX(), spin.getY(), spin.getZ());
        }
    }

    @Override
    protected int doubleAxes() {
        return BodyReads.IS_DOUBLE ? 3 : 0;
    }

    @Override
    protected int readPose(Body body, long[] bits, int at) {
        BodyReads.readPose(body, bodyInterface, position, rotation);
        bits[at] = Double.doubleToRawLongBits(position.xx());
        bits[at + 1] = Double.doubleToRawLongBits(position.yy());
        bits[at + 2] = Double.doubleToRawLongBits(position.zz());
        bits[at + 3] = Float.floatToRawIntBits(rotation.getX());
        bits[at + 4] = Float.floatToRawIntBits(rotation.getY());
        bits[at + 5] = Float.floatToRawIntBits(rotation.getZ());
        bits[at + 6] = Float.floatToRawIntBits(rotation.getW());
        return at + 7;
    }

    @Override
    protected void readVelocities(Body body, long[] bits, int at) {
        read(body.getLinearVelocity(), bits, at);
        read(body.getAngularVelocity(), bits, at + 3);
    }

    @Override
    protected void pull(Body body, DragSpring spring) {
        if (body.isDynamic()) {
            BodyReads.readPose(body, bodyInterface, position, rotation);
            if (spring.pull(position.xx(), position.yy(), position.zz())) {
                Vec3 v = body.getLinearVelocity();
                velocity.set(
                        v.getX() + (float) spring.dvx(),
                        v.getY() + (float) spring.dvy(),
                        v.getZ() + (float) spring.dvz());
                // Also wakes the body, unlike Body.setLinearVelocity.
                bodyInterface.setLinearVelocity(body.getId(), velocity);
            }
        }
    }

    /** Returns the shape, null for a soft body, whose shape changes in each tick. */
    @Override
    protected @Nullable BodyShape shapeOf(Body body, MeshBuilder mesh) {
        return body.isSoftBody() ? null : new BodyShape(JoltShapes.form(body), body.isKinematic());
    }

    /** Returns {@link ContactTiming#BEFORE_SOLVE}, because Jolt calls the listener before it solves the contacts. */
    @Override
    protected ContactTiming contactTiming() {
        return ContactTiming.BEFORE_SOLVE;
    }

    @Override
    protected void centreOfMass(Body body, double[] at) {
        RVec3 centre = body.getCenterOfMassPosition();
        at[0] = centre.xx();
        at[1] = centre.yy();
        at[2] = centre.zz();
    }

    /**
     * Writes the centre of mass relative to the body's position. Leaves {@code offset} as it is for a soft body, whose shape changes in
     * each tick.
     */
    @Override
    protected void centreOffset(Body body, float[] offset) {
        if (!body.isSoftBody()) {
            Vec3 centre = JoltShapes.centreOfMass(body);
            offset[0] = centre.getX();
            offset[1] = centre.getY();
            offset[2] = centre.getZ();
        }
    }

    @Override
    protected void reportContacts(ContactPairs touching) {
        if (contacts != null) {
            contacts.report();
        }
    }

    @Override
    protected ContactPairs.Sleepers sleepers() {
        // The field is null as long as no contact was to be reported.
        return contacts == null ? ContactPairs.Sleepers.TOUCH : contacts;
    }

    @Override
    protected void released() {
        reads.close();
        if (contacts != null) {
            contacts.letGo();
        }
        if (ownJobs != null) {
            ownJobs.close();
        }
    }

    private long sideAt(long address) {
        int index = attached.find(address);
        int slot;
        if (index == AttachedBodies.NONE) {
            int id = new Body(address).getId();
            slot = haveObjects() ? attachedSlot(id) : EventWriter.NO_SLOT;
            if (slot == EventWriter.NO_SLOT) {
                return ContactPairs.unattached(Integer.toUnsignedLong(id));
            }
            index = bodyCount(); // a part has no velocity
        } else {
            slot = slotAt(index);
        }
        return slot == EventWriter.NO_SLOT || hasPastContacts(slot)
                ? ContactPairs.ClosingSpeeds.FIRST_WITHOUT_SLOT - index
                : slot;
    }

    private static void read(Vec3 v, long[] bits, int at) {
        bits[at] = Float.floatToRawIntBits(v.getX());
        bits[at + 1] = Float.floatToRawIntBits(v.getY());
        bits[at + 2] = Float.floatToRawIntBits(v.getZ());
    }
}
