package dev.escapement.physics.ode4j;

import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import org.ode4j.ode.DBody;
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
        super(world);
        this.world = world;
        this.contacts = contacts;
        this.joinContacts = joinContacts;
        this.stepper = stepper;
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
        BodyReading.writePose(body, slot, poses);
    }

    @Override
    protected long addPose(long hash, DBody body) {
        return BodyReading.addPose(hash, body);
    }

    @Override
    protected long addVelocities(long hash, DBody body) {
        return BodyReading.addVelocities(hash, body);
    }

    /** From the joints, which stay until the next tick. */
    @Override
    protected void tellContacts(ContactPairs touching) {
        for (int i = 0; i < attachedCount(); i++) {
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
            DBody other = ContactJoints.other(joint, body);
            int slot = slotOf(body);
            int otherSlot = slotOf(other);
            if (!touching.see(slot, otherSlot)) {
                ContactJoints.begin(body, slot, other, otherSlot, touching);
            }
        }
    }

    /** The group is the game's again, and it expects none of our joints in it. */
    @Override
    protected void released() {
        contacts.empty();
    }
}
