package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.ContactListener;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.JobSystem;
import com.github.stephengold.joltjni.JobSystemSingleThreaded;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.TempAllocator;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EPhysicsUpdateError;
import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around a system of Jolt that the game already has.
 *
 * <pre>{@code
 * JoltWorldSimulation simulation = new JoltWorldSimulation(system, allocator, jobs);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> crate.addImpulse(0, 500, 0));
 * }</pre>
 *
 * <p><b>Steps.</b> A tick is one update of the tick's length, with one collision step; do not call {@code update} any more. Nothing
 * tells this object of updates by somebody else; {@link #touchWatch()} finds what they move.
 *
 * <p><b>Kinematic bodies.</b> {@code bodyInterface.moveKinematic(id, position, rotation, dt)} in a command of every tick, with the tick's
 * length: the step brings the body there, and carries and pushes what touches it. That of {@code Body} does the same, but does not
 * wake a body that has stood still for half a second; {@code setPosition} carries nothing.
 *
 * <p><b>Bodies.</b> Whether one is still there is asked by its id, so that one which was destroyed while it was attached fails the
 * service, not the JVM.
 *
 * <p><b>Contacts</b> are told after {@link #listenToContacts()} only, up to 2 cm before bodies touch. Contacts of bodies that fall
 * asleep go on, but begin with nobody: what touches a sleeping body when its partner is detached is told when it wakes. Those of
 * a body that is captured for the first time are told with the tick after it.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run of the same native library, for any number of workers, if
 * the system's settings say {@code setDeterministicSimulation(true)}.
 *
 * <p>Neither a step nor a capture allocates on the Java heap, but for contacts that begin while they are wanted.
 */
public final class JoltWorldSimulation extends WorldSimulation<PhysicsSystem, Body> {

    private static final int COLLISION_STEPS = 1;

    private final PhysicsSystem system;
    private final TempAllocator allocator;
    private final JobSystem jobs;
    private final BodyInterface bodyInterface;
    private final BodySlots slots = new BodySlots();
    private final ToIntFunction<Body> knownSlots = this::slotOf;
    // Filled again and again, because the binding's other getters allocate.
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();

    private @Nullable JoltContacts contacts;

    /**
     * Takes a system, until {@link #close()}.
     *
     * @param system    what to tick
     * @param allocator what an update takes temporary memory from; the game frees it, after the end
     * @param jobs      who works on an update; the game frees it, after the end
     * @throws IllegalStateException if another simulation has the system
     */
    public JoltWorldSimulation(PhysicsSystem system, TempAllocator allocator, JobSystem jobs) {
        super(system);
        this.system = system;
        this.allocator = allocator;
        this.jobs = jobs;
        // Without locks: nothing else touches the system while the physics thread does.
        bodyInterface = system.getBodyInterfaceNoLock();
    }

    /**
     * Tells of contacts from now on, whenever somebody subscribes to events. It takes the system's contact listener, for good, for the
     * binding cannot take one away; a {@link CustomContactListener} that the game has set goes on hearing everything, and what it
     * rejects is no contact.
     *
     * @throws IllegalStateException if Jolt would call from worker threads, if the game's listener is of another kind, or if
     *                               called by another thread than that which ticks, while it does
     */
    public void listenToContacts() {
        ContactListener present = world().getContactListener();
        if (!(jobs instanceof JobSystemSingleThreaded)) {
            throw new IllegalStateException("contacts of " + system + " cannot be told with a "
                    + jobs.getClass().getSimpleName() + ": the binding makes a Java thread for each call of a listener"
                    + " by a worker; make this simulation with a JobSystemSingleThreaded");
        }
        if (present instanceof JoltContacts ours) { // from an earlier simulation around the same system
            contacts = ours;
        } else if (present == null || present instanceof CustomContactListener) {
            contacts = new JoltContacts((CustomContactListener) present);
            system.setContactListener(contacts);
        } else {
            throw new IllegalStateException(
                    system + " has a " + present.getClass().getSimpleName()
                            + " for a contact listener, which could not be told of contacts any more; set a"
                            + " CustomContactListener instead, or none");
        }
        contacts.tell(contacts(), slots);
    }

    @Override
    protected void advance(Tick tick) {
        if (contacts != null) {
            slots.learn(knownSlots);
            contacts.listen(tick.eventsWanted());
        }
        int error = system.update((float) tick.dtSeconds(), COLLISION_STEPS, allocator, jobs);
        if (contacts != null) {
            contacts.listen(false);
        }
        if (error != EPhysicsUpdateError.None) {
            throw new IllegalStateException("Jolt's update of " + system + " by " + tick.dtSeconds()
                    + " s failed with error bits " + error + " (1: manifold cache, 2: body pair cache, 4: contact"
                    + " constraints full); give PhysicsSystem.init more of them");
        }
    }

    @Override
    protected void bodyAttached(Body body) {
        slots.add(body, BodySlots.NOT_YET);
    }

    @Override
    protected void bodyDetached(Body body) {
        slots.remove(body);
    }

    @Override
    protected boolean isInWorld(Body body) {
        return slots.contains(body) ? bodyInterface.isAdded(slots.idOf(body)) : isOfThisSystem(body);
    }

    /** Bodies of two systems may have the same id. */
    private boolean isOfThisSystem(Body body) {
        int id = body.getId();
        if (!bodyInterface.isAdded(id)) {
            return false;
        }
        long userData = body.getUserData();
        body.setUserData(~userData);
        boolean same = bodyInterface.getUserData(id) == ~userData;
        body.setUserData(userData);
        return same;
    }

    @Override
    protected boolean isAsleep(Body body) {
        return !body.isActive();
    }

    @Override
    protected void writePose(Body body, int slot, PoseWriter poses) {
        body.getPositionAndRotation(position, rotation);
        poses.set(
                slot,
                position.x(),
                position.y(),
                position.z(),
                rotation.getX(),
                rotation.getY(),
                rotation.getZ(),
                rotation.getW());
    }

    @Override
    protected long addPose(long hash, Body body) {
        body.getPositionAndRotation(position, rotation);
        long added = StateHash.add(hash, position.xx());
        added = StateHash.add(StateHash.add(added, position.yy()), position.zz());
        added = add(add(added, rotation.getX()), rotation.getY());
        return add(add(added, rotation.getZ()), rotation.getW());
    }

    @Override
    protected long addVelocities(long hash, Body body) {
        return add(add(hash, body.getLinearVelocity()), body.getAngularVelocity());
    }

    /** Jolt has told them within the step. */
    @Override
    protected void tellContacts(ContactPairs touching) {}

    @Override
    protected void released() {
        if (contacts != null) {
            contacts.letGo();
        }
    }

    private static long add(long hash, Vec3 v) {
        return add(add(add(hash, v.getX()), v.getY()), v.getZ());
    }

    private static long add(long hash, float value) {
        return StateHash.add(hash, (long) Float.floatToRawIntBits(value));
    }
}
