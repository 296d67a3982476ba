package dev.escapement.physics.physx;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.ContactTiming;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.world.BodyShape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import physx.common.PxBase;
import physx.common.PxCollection;
import physx.common.PxQuat;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.extensions.PxCollectionExt;
import physx.physics.PxActor;
import physx.physics.PxActorTypeEnum;
import physx.physics.PxActorTypeFlagEnum;
import physx.physics.PxActorTypeFlags;
import physx.physics.PxArticulationLink;
import physx.physics.PxArticulationReducedCoordinate;
import physx.physics.PxForceModeEnum;
import physx.physics.PxRigidActor;
import physx.physics.PxRigidBodyFlagEnum;
import physx.physics.PxRigidDynamic;
import physx.physics.PxScene;
import physx.physics.PxSimulationEventCallbackImpl;
import physx.physics.PxSimulationStatistics;
import physx.support.NativeArrayHelpers;
import physx.support.PxArray_PxReal;
import physx.support.PxU32ConstPtr;
import physx.support.SupportFunctions;

/**
 * A simulation around an existing scene of PhysX 5. Its bodies are rigid actors and links of articulations.
 *
 * <pre>{@code
 * PhysxNatives.load();
 * description.getFlags().raise(PxSceneFlagEnum.eENABLE_ENHANCED_DETERMINISM);
 * PxScene scene = physics.createScene(description);
 * PhysxWorldSimulation simulation = new PhysxWorldSimulation(scene);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService service = PhysicsService.builder(simulation).start();
 * service.command(tick -> { crate.addForce(up, PxForceModeEnum.eIMPULSE); return tick; });
 * service.query(tick -> scene.raycast(from, down, 100, hits) ? simulation.idOf(hits.getAnyHit(0).getActor()) : 0);
 * }</pre>
 *
 * <p><b>Steps.</b> A tick is one {@code simulate} of the tick's length and one {@code fetchResults}. If other code has simulated the scene
 * since the previous tick, or does it now, the tick fails. The scene's dispatcher may have any number of threads.
 *
 * <p><b>Bodies.</b> PhysX gives the address of a released actor to the next actor of the same kind that is created. An attached actor that
 * was removed or released before the step fails the capture, unless another actor has its address: readers would see that actor in its
 * place. Detach an actor without simulated shapes before you remove it: its removal is not noticed in a tick in which another such actor is
 * added. If an actor may turn by more than half a turn a tick, set its limit of angular velocity before you attach it, because the limit is
 * read then.
 *
 * <p><b>Contacts</b> need flags from the scene's filter. With physx-jni's own {@code DefaultFilterShader}, these are the third word of a
 * shape's simulation filter data:
 * <ul>
 *   <li>{@code eNOTIFY_TOUCH_FOUND} and {@code eNOTIFY_TOUCH_LOST}: begins and ends;
 *   <li>{@code eNOTIFY_CONTACT_POINTS}: place, impulse, and the closing speed, without changes by commands since the tick before;
 *   <li>{@code eNOTIFY_TOUCH_PERSISTS}: the impulse while a contact lasts.
 * </ul>
 * A trigger is a sensor, and its contacts have no place. To make a trigger solid, change both of its flags in one call of {@code setFlags}:
 * after two calls PhysX 5.4.1 reports no contact of bodies that already overlap it. A contact gives a shape as the shape's index in its
 * actor when the contact began. The key of an actor that is not attached is its address.
 *
 * <p><b>Queries</b> of other threads hit the shapes with {@code eSCENE_QUERY_SHAPE}, also of triggers, as PhysX's own queries do. The first
 * two words of a shape's query filter data are its groups, bits 0 to 63; a shape with zeros is in all groups. An overlap has no normal. Its
 * point is the one of the shape that is nearest to the form's position. Close query worlds before the game releases its {@code PxPhysics}.
 *
 * <p><b>Joints</b> are not shown: physx-jni does not expose the bodies of a joint.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run of the same native library, with any number of threads, from a
 * scene that was made the same way; with {@code eENABLE_ENHANCED_DETERMINISM} also beside other bodies that are far away. A state cannot be
 * saved: with poses, velocities and wake counters put back, touching bodies move differently, because PhysX keeps contacts and impulses of
 * the step before.
 *
 * <p>Captures and steps allocate nothing, once the JIT compiler has removed the objects that the binding makes for returned values; a
 * contact that begins or ends allocates a few.
 */
public final class PhysxWorldSimulation extends WorldSimulation<PxScene, PxRigidActor> {

    /** A pose is a position of three numbers, and a quaternion of four. */
    private static final int POSE_NUMBERS = 7;

    /**
     * Values of an attached actor, kept because the actor may have been released since.
     *
     * @param body     the actor; null if it is static
     * @param member   the scene's member: the actor, or the articulation of a link
     * @param maxSpeed the limit of its angular velocity when it was attached, radians a second
     */
    private record Attached(@Nullable PxRigidDynamic body, PxBase member, float maxSpeed) {

        boolean isKinematic() {
            return body != null && body.getRigidBodyFlags().isSet(PxRigidBodyFlagEnum.eKINEMATIC);
        }
    }

    /** The memory in which the binding returns poses: the same for all calls by a thread. */
    private record Pose(long address, PxVec3 position, PxQuat rotation) {

        static Pose at(long address) {
            PxTransform returned = PxTransform.wrapPointer(address);
            return new Pose(address, returned.getP(), returned.getQ());
        }
    }

    private final PxScene scene;
    private final PhysxContacts contacts;
    private final Map<PxActor, Attached> attached = new HashMap<>(); // actors with the same address are equal
    private final PxActorTypeFlags allTypes = new PxActorTypeFlags(
            (short) (PxActorTypeFlagEnum.eRIGID_DYNAMIC.value | PxActorTypeFlagEnum.eRIGID_STATIC.value));
    private final PxArray_PxReal memory = new PxArray_PxReal(PxSimulationStatistics.SIZEOF / Float.BYTES);
    private final PxSimulationStatistics lastStep =
            PxSimulationStatistics.wrapPointer(memory.begin().getAddress());
    private final ToLongFunction<PxRigidActor> sides = this::sideOfActor;
    private final PxVec3 pulled = new PxVec3(); // reused, so that no call allocates

    private @Nullable Pose lastPose;

    /**
     * The addresses of all members of the scene; valid until the next step, as long as the number of members stays the same. A search for
     * an address does not access released actors.
     */
    private @Nullable PxCollection members;

    /** The first words of actors that were found in {@link #members}: the addresses of the virtual tables of their classes. */
    private final Set<Long> actorTables = new HashSet<>();

    private int memberCount;
    private int capturedCount = -1;

    private boolean stepped;
    private int stepTimestamp;

    /**
     * Wraps a scene without an event callback. The scene belongs to this simulation until {@link #close()}.
     *
     * @param scene the scene to tick
     * @throws IllegalArgumentException if the scene has an event callback
     * @throws IllegalStateException    if the scene belongs to another simulation
     */
    public PhysxWorldSimulation(PxScene scene) {
        this(scene, null);
    }

    /**
     * Wraps a scene, which belongs to this simulation until {@link #close()}.
     *
     * @param scene    the scene to tick
     * @param callback the game's event callback, which the scene may have; it gets all calls, on the physics thread
     * @throws IllegalArgumentException if the scene has another callback
     * @throws IllegalStateException    if the scene belongs to another simulation
     */
    public PhysxWorldSimulation(PxScene scene, @Nullable PxSimulationEventCallbackImpl callback) {
        super(requireFree(scene, callback), POSE_NUMBERS, 3, null);
        this.scene = scene;
        contacts = new PhysxContacts(scene, callback, contacts()::tellsLasting, this::shapeIndex);
    }

    private static PxScene requireFree(PxScene scene, @Nullable PxSimulationEventCallbackImpl callback) {
        Objects.requireNonNull(scene, "scene must not be null; pass the scene to tick");
        if (PhysxContacts.hasOther(scene, callback)) {
            throw new IllegalArgumentException("the scene has an event callback, and can have only one; pass it here,"
                    + " and it gets all calls: new PhysxWorldSimulation(scene, callback)");
        }
        return scene;
    }

    /**
     * Returns the native library that computes the states, unless the game has loaded another one. Another library may compute other bits.
     *
     * @return its Maven coordinates, with the version
     * @throws UnsupportedPlatformException if there is none for the running platform
     */
    public static String version() {
        return PhysxNatives.library(NativeResource.runningPlatform()).coordinates();
    }

    /**
     * Shifts the scene's origin as {@code PxScene.shiftOrigin} does, because its {@code float} positions are exact only near it. The
     * snapshots' origin moves with it, and no body moves in the picture. Contacts and dragging stay in the world's coordinates. Positions
     * that the game passes to PhysX and gets from it are measured from the scene's origin, also the positions that sources of {@linkplain
     * dev.escapement.physics.world.Part parts} write. Also shift the objects that the scene does not know, with
     * {@code PxControllerManager.shiftOrigin}.
     *
     * @param dx metres from the old origin to the new one; best a multiple of a power of two, so that no position is rounded
     * @param dy metres
     * @param dz metres
     * @throws IllegalArgumentException if the shift is not finite, or the new origin would be beyond 1e18 m
     * @throws IllegalStateException    if another thread ticks the world, or the simulation is closed
     */
    public void shiftOrigin(float dx, float dy, float dz) {
        PxScene shifted = world();
        requireShift(dx, dy, dz);
        pulled.setX(dx);
        pulled.setY(dy);
        pulled.setZ(dz);
        shifted.shiftOrigin(pulled);
        originShifted(dx, dy, dz);
    }

    /** Returns the queries of PhysX. Close the query world before the game releases its {@code PxPhysics}. */
    @Override
    protected QueryBodies<PxRigidActor, ?> queryBodies() {
        return new PhysxQueryBodies(scene);
    }

    @Override
    protected void bodyAttached(PxRigidActor body) {
        boolean isStatic = body.getType() == PxActorTypeEnum.eRIGID_STATIC;
        // Links of an articulation support only the methods of PxRigidBody: no others are called.
        PxRigidDynamic moving = isStatic ? null : PxRigidDynamic.wrapPointer(body.getAddress());
        attached.put(body, new Attached(moving, memberOf(body), moving == null ? 0 : moving.getMaxAngularVelocity()));
    }

    @Override
    protected void bodyDetached(PxRigidActor body) {
        attached.remove(body);
    }

    @Override
    protected void advance(Tick tick) {
        forgetMembers();
        if (stepped && scene.getTimestamp() != stepTimestamp) {
            throw stepOfOthers("other code has simulated the scene since the last tick");
        }
        contacts.beginStep();
        if (!scene.simulate((float) tick.dtSeconds())) {
            throw stepOfOthers("other code simulates the scene and has not fetched the results");
        }
        scene.fetchResults(true);
        stepped = true;
        stepTimestamp = scene.getTimestamp();
    }

    private static IllegalStateException stepOfOthers(String what) {
        return new IllegalStateException(what + ", which thread '"
                + Thread.currentThread().getName() + "' ticks; leave that to the service, or close it first");
    }

    /** Asks an actor that is to be attached for its scene, because a list of the scene for each of them would take too long. */
    @Override
    protected boolean isInWorld(PxRigidActor body) {
        Attached known = attached.get(body);
        if (known == null && isAlive(body)) {
            return scene.equals(body.getScene());
        }
        boolean isMember = members().contains(known == null ? memberOf(body) : known.member);
        if (isMember) {
            actorTables.add(firstWord(body));
        }
        return isMember;
    }

    /**
     * Returns whether an actor was certainly not released: PhysX replaces the first word of released memory, which was the address of the
     * actor's virtual table, by a link to the next free place. A call to a released actor would end the JVM.
     */
    private boolean isAlive(PxRigidActor body) {
        return actorTables.contains(firstWord(body));
    }

    private static long firstWord(PxRigidActor body) {
        PxU32ConstPtr words = PxU32ConstPtr.wrapPointer(body.getAddress());
        return (long) NativeArrayHelpers.getU32At(words, 1) << Integer.SIZE
                | Integer.toUnsignedLong(NativeArrayHelpers.getU32At(words, 0));
    }

    private PxCollection members() {
        int count = count();
        if (members == null || count != memberCount) {
            forgetMembers();
            members = PxCollectionExt.createCollection(scene);
            searched(count);
            memberCount = count;
        }
        return members;
    }

    /** Returns the member of the scene that a body belongs to. A collection of a scene has articulations, but not their links. */
    private static PxBase memberOf(PxRigidActor body) {
        return body instanceof PxArticulationLink link ? link.getArticulation() : body;
    }

    private int count() {
        return scene.getNbActors(allTypes) + scene.getNbArticulations();
    }

    private void forgetMembers() {
        if (members != null) {
            members.release();
            members = null;
        }
    }

    /** Searches for a removed actor only if any actor was added or removed, because the search needs a native call for each actor. */
    @Override
    protected int findRemoved() {
        int count = count();
        scene.getSimulationStatistics(lastStep); // counts alone miss an actor that came while another went
        if (count == capturedCount && lastStep.getNbBroadPhaseAdds() + lastStep.getNbBroadPhaseRemoves() == 0) {
            return -1;
        }
        forgetMembers(); // they may lack an actor that came while another went
        int removed = super.findRemoved();
        capturedCount = removed < 0 ? count : -1;
        return removed;
    }

    @Override
    protected boolean isAsleep(PxRigidActor body) {
        Attached known = known(body);
        if (known.member instanceof PxArticulationReducedCoordinate articulation) {
            return articulation.isSleeping();
        }
        return known.body == null || known.body.isSleeping();
    }

    private Attached known(PxRigidActor body) {
        return Objects.requireNonNull(attached.get(body), "an attached body is known");
    }

    /**
     * Returns the pose of a body. Only the address goes to the rare branch: newer JDKs do not inline rare calls, so an object passed to
     * such a call would be allocated for each pose.
     */
    private Pose pose(PxRigidActor body) {
        long address = body.getGlobalPose().getAddress();
        Pose pose = lastPose;
        if (pose == null || pose.address != address) { // the first pose, or another thread's
            pose = Pose.at(address);
            lastPose = pose;
        }
        return pose;
    }

    @Override
    protected void writePose(PxRigidActor body, int slot, PoseWriter poses) {
        Pose pose = pose(body);
        PxVec3 p = pose.position;
        PxQuat q = pose.rotation;
        poses.setInWorld(slot, p.getX(), p.getY(), p.getZ(), q.getX(), q.getY(), q.getZ(), q.getW());
        Attached known = known(body);
        if (known.body != null && isFast(known.maxSpeed)) {
            PxVec3 spin = known.body.getAngularVelocity();
            writeSpin(poses, slot, spin.getX(), spin.getY(), spin.getZ());
        }
    }

    @Override
    protected int readPose(PxRigidActor body, long[] bits, int at) {
        Pose pose = pose(body);
        PxQuat q = pose.rotation;
        read(pose.position, bits, at);
        bits[at + 3] = Float.floatToRawIntBits(q.getX());
        bits[at + 4] = Float.floatToRawIntBits(q.getY());
        bits[at + 5] = Float.floatToRawIntBits(q.getZ());
        bits[at + 6] = Float.floatToRawIntBits(q.getW());
        return at + 7;
    }

    @Override
    protected void readVelocities(PxRigidActor body, long[] bits, int at) {
        PxRigidDynamic moving = known(body).body;
        if (moving == null) {
            Arrays.fill(bits, at, at + 6, 0);
        } else {
            read(moving.getLinearVelocity(), bits, at);
            read(moving.getAngularVelocity(), bits, at + 3);
        }
    }

    private static void read(PxVec3 v, long[] bits, int at) {
        bits[at] = Float.floatToRawIntBits(v.getX());
        bits[at + 1] = Float.floatToRawIntBits(v.getY());
        bits[at + 2] = Float.floatToRawIntBits(v.getZ());
    }

    @Override
    protected void pull(PxRigidActor body, DragSpring spring) {
        Attached known = known(body);
        if (known.body == null || known.isKinematic()) {
            return;
        }
        PxVec3 at = pose(body).position;
        if (spring.pull(at.getX(), at.getY(), at.getZ())) {
            pulled.setX((float) spring.dvx());
            pulled.setY((float) spring.dvy());
            pulled.setZ((float) spring.dvz());
            known.body.addForce(pulled, PxForceModeEnum.eVELOCITY_CHANGE, true);
        }
    }

    @Override
    protected @Nullable BodyShape shapeOf(PxRigidActor body, MeshBuilder mesh) {
        BodyShape.Form form = PhysxForms.formOf(body, mesh);
        return form == null ? null : new BodyShape(form, known(body).isKinematic());
    }

    /**
     * Returns the timing in which contacts are read in the capture. Later an actor may have been released, which only a list of all actors
     * shows.
     */
    @Override
    protected ContactTiming contactTiming() {
        return ContactTiming.POINTS_BEFORE_STEP_READ_IN_CAPTURE;
    }

    @Override
    protected void centreOfMass(PxRigidActor body, double[] at) {
        Attached known = known(body);
        if (known.body != null) {
            PxVec3 local = known.body.getCMassLocalPose().getP();
            double x = local.getX();
            double y = local.getY();
            double z = local.getZ();
            PxQuat q = pose(body).rotation;
            double tx = 2 * (q.getY() * z - q.getZ() * y);
            double ty = 2 * (q.getZ() * x - q.getX() * z);
            double tz = 2 * (q.getX() * y - q.getY() * x);
            at[0] += x + q.getW() * tx + q.getY() * tz - q.getZ() * ty;
            at[1] += y + q.getW() * ty + q.getZ() * tx - q.getX() * tz;
            at[2] += z + q.getW() * tz + q.getX() * ty - q.getY() * tx;
        }
    }

    @Override
    protected void centreOffset(PxRigidActor body, float[] offset) {
        PxRigidDynamic moving = known(body).body;
        if (moving != null) {
            PxVec3 centre = moving.getCMassLocalPose().getP();
            offset[0] = centre.getX();
            offset[1] = centre.getY();
            offset[2] = centre.getZ();
        }
    }

    @Override
    protected int shapeCount(PxRigidActor body) {
        return body.getNbShapes();
    }

    @Override
    protected Object shapeAt(PxRigidActor body, int index) {
        return SupportFunctions.PxActor_getShape(body, index);
    }

    @Override
    protected void reportContacts(ContactPairs touching) {
        contacts.report(touching, sides);
    }

    /** Returns the side of an actor. The key of an unattached actor is its address. */
    private long sideOfActor(PxRigidActor actor) {
        int slot = attachedSlot(actor);
        return slot == EventWriter.NO_SLOT ? ContactPairs.unattached(actor.getAddress()) : slot;
    }

    @Override
    protected void released() {
        forgetMembers();
        contacts.letGo();
        allTypes.destroy();
        memory.destroy();
        pulled.destroy();
    }
}
