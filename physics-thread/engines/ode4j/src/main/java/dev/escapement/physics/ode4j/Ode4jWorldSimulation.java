package dev.escapement.physics.ode4j;

import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DQuaternionC;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContactGeom;
import org.ode4j.ode.DContactJoint;
import org.ode4j.ode.DJoint;
import org.ode4j.ode.DJointGroup;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DWorld;

/**
 * A simulation around a world of ode4j that the game already has. In ODE the game itself finds what touches and joins it; it goes on
 * doing so, on the physics thread:
 *
 * <pre>{@code
 * Ode4jWorldSimulation simulation = new Ode4jWorldSimulation(
 *         world, contactGroup, () -> space.collide(null, this::near), DWorld::quickStep);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> { crate.enable(); crate.addForce(0, 900, 0); return tick; });
 * }</pre>
 *
 * <p><b>Contacts</b> are the contact joints that the game has made in a tick, whatever it made them for. Two bodies that both slept and
 * are not joined go on touching, for many games leave such pairs out.
 *
 * <p><b>Not noticed.</b> ODE does not say who steps a world: a step that is not the service's own is found out by {@link #touchWatch()}
 * alone.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run, unless another thread steps another world of ODE in the same
 * JVM: all worlds share a random number generator, of which each simulation continues its own sequence, from 0.
 *
 * <p>A capture and the events of a tick allocate nothing; a step allocates as much as ode4j itself does.
 */
public final class Ode4jWorldSimulation extends WorldSimulation<DWorld, DBody> {

    /**
     * A way of ODE's to step a world.
     *
     * @see DWorld#quickStep
     * @see DWorld#step
     */
    @FunctionalInterface
    public interface Stepper {

        /**
         * Steps a world.
         *
         * @param world     what to step
         * @param dtSeconds how far
         */
        void step(DWorld world, double dtSeconds);
    }

    /** The jar's manifest says it, but not when it was packed into another jar. */
    private static final String VERSION = "0.5.3";

    private final DWorld world;
    private final DJointGroup contacts;
    private final Runnable joinContacts;
    private final Stepper stepper;
    private long randomSeed;

    /**
     * Takes a world, until {@link #close()}.
     *
     * @param world        what to tick
     * @param contacts     where the game puts its contact joints; is emptied before each tick's are made
     * @param joinContacts finds what touches and makes the contact joints, in each tick before the step
     * @param stepper      {@code DWorld::quickStep} or {@code DWorld::step}
     * @throws IllegalStateException if another simulation has it
     */
    public Ode4jWorldSimulation(DWorld world, DJointGroup contacts, Runnable joinContacts, Stepper stepper) {
        super(world, RIGID_BODY);
        this.world = world;
        this.contacts = contacts;
        this.joinContacts = joinContacts;
        this.stepper = stepper;
    }

    /**
     * Which ode4j computes the states: the bits of another one may be others.
     *
     * @return its version
     * @see dev.escapement.physics.replay.RunDescription
     */
    public static String version() {
        return VERSION;
    }

    @Override
    protected void advance(Tick tick) {
        contacts.empty();
        joinContacts.run();
        DMisc.dRandSetSeed(randomSeed);
        stepper.step(world, tick.dtSeconds());
        randomSeed = DMisc.dRandGetSeed();
    }

    @Override
    protected boolean isInWorld(DBody body) {
        return body.getWorld() == world;
    }

    @Override
    protected boolean isAsleep(DBody body) {
        return !body.isEnabled();
    }

    @Override
    protected void writePose(DBody body, int slot, PoseWriter poses) {
        DVector3C position = body.getPosition();
        DQuaternionC rotation = body.getQuaternion(); // w comes first
        poses.set(
                slot,
                (float) position.get0(),
                (float) position.get1(),
                (float) position.get2(),
                (float) rotation.get1(),
                (float) rotation.get2(),
                (float) rotation.get3(),
                (float) rotation.get0());
    }

    @Override
    protected int readPose(DBody body, long[] bits, int at) {
        DQuaternionC rotation = body.getQuaternion(); // w comes first
        read(body.getPosition(), bits, at);
        bits[at + 3] = Double.doubleToRawLongBits(rotation.get1());
        bits[at + 4] = Double.doubleToRawLongBits(rotation.get2());
        bits[at + 5] = Double.doubleToRawLongBits(rotation.get3());
        bits[at + 6] = Double.doubleToRawLongBits(rotation.get0());
        return at + 7;
    }

    @Override
    protected void readVelocities(DBody body, long[] bits, int at) {
        read(body.getLinearVel(), bits, at);
        read(body.getAngularVel(), bits, at + 3);
    }

    private static void read(DVector3C v, long[] bits, int at) {
        bits[at] = Double.doubleToRawLongBits(v.get0());
        bits[at + 1] = Double.doubleToRawLongBits(v.get1());
        bits[at + 2] = Double.doubleToRawLongBits(v.get2());
    }

    /** From the joints, which stay until the next tick. */
    @Override
    protected void tellContacts(ContactPairs touching) {
        for (int i = 0; i < bodyCount(); i++) {
            DBody body = attached(i);
            int count = body.getNumJoints();
            for (int j = 0; j < count; j++) {
                tell(body, body.getJoint(j), touching);
            }
        }
    }

    /** Every pair of attached bodies is met twice. */
    private void tell(DBody body, DJoint joint, ContactPairs touching) {
        if (joint instanceof DContactJoint) {
            DBody other = other(joint, body);
            int slot = slotOf(body);
            int otherSlot = slotOf(other);
            if (!touching.see(slot, otherSlot)) {
                DContactJoint deepest = deepest(body, other);
                DContactGeom at = deepest.getContact().geom;
                int towardsOther = deepest.getBody(0) == body ? -1 : 1; // ODE's normal points into the first body
                touching.begin(
                        slot,
                        otherSlot,
                        (float) at.pos.get0(),
                        (float) at.pos.get1(),
                        (float) at.pos.get2(),
                        (float) (towardsOther * at.normal.get0()),
                        (float) (towardsOther * at.normal.get1()),
                        (float) (towardsOther * at.normal.get2()));
            }
        }
    }

    /** Two bodies may have several joints. */
    private static DContactJoint deepest(DBody body, @Nullable DBody other) {
        DContactJoint deepest = null;
        int count = body.getNumJoints();
        for (int i = 0; i < count; i++) {
            if (body.getJoint(i) instanceof DContactJoint contact
                    && other(contact, body) == other
                    && (deepest == null || contact.getContact().geom.depth > deepest.getContact().geom.depth)) {
                deepest = contact;
            }
        }
        if (deepest == null) {
            throw new IllegalArgumentException("no contact joint joins " + body + " with " + other);
        }
        return deepest;
    }

    /** What a body is joined to on its other side, null for what has no body. */
    private static @Nullable DBody other(DJoint joint, DBody body) {
        DBody first = joint.getBody(0);
        return first == body ? joint.getBody(1) : first;
    }

    /** The group is the game's again, and it expects none of our joints in it. */
    @Override
    protected void released() {
        contacts.empty();
    }
}
