package dev.escapement.physics.dyn4j;

import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.Iterator;
import org.dyn4j.dynamics.PhysicsBody;
import org.dyn4j.dynamics.TimeStep;
import org.dyn4j.dynamics.contact.Contact;
import org.dyn4j.dynamics.contact.ContactConstraint;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.world.PhysicsWorld;
import org.dyn4j.world.World;
import org.dyn4j.world.WorldCollisionData;
import org.dyn4j.world.listener.StepListener;
import org.dyn4j.world.listener.StepListenerAdapter;

/**
 * A simulation around a world of dyn4j that the game already has. Poses are those of the bodies' transforms: x and y, with z = 0,
 * and a rotation about z.
 *
 * <pre>{@code
 * Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> crate.applyImpulse(new Vector2(0, 5)));
 * }</pre>
 *
 * <p><b>Steps.</b> A tick is one step of dyn4j of the tick's length; do not call {@code update} any more. A step that is not the
 * service's own is refused in the call of whoever makes it.
 *
 * <p><b>Contacts</b> are dyn4j's contact constraints as they are after a step, those of sensors too, but none that a listener has
 * disabled.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run on the same JVM and kind of processor, except with bodies
 * marked as bullets: dyn4j moves those in the order of a hash table of objects.
 *
 * <p>A capture allocates nothing, the events of a tick a few small objects; a step allocates as much as dyn4j itself does.
 *
 * @param <B> the game's bodies
 */
public final class Dyn4jWorldSimulation<B extends PhysicsBody> extends WorldSimulation<World<B>, B> {

    private final World<B> world;
    private final StepListener<B> ownSteps = new StepListenerAdapter<>() {
        @Override
        public void begin(TimeStep step, PhysicsWorld<B, ?> stepped) {
            requireOwnStep();
        }
    };

    /**
     * Takes a world, until {@link #close()}.
     *
     * @param world what to tick
     * @throws IllegalStateException if another simulation has it
     */
    public Dyn4jWorldSimulation(World<B> world) {
        super(world);
        this.world = world;
        world.addStepListener(ownSteps);
    }

    @Override
    protected void advance(Tick tick) {
        world.step(1, tick.dtSeconds());
    }

    @Override
    protected boolean isInWorld(B body) {
        return body.getOwner() == world;
    }

    @Override
    protected boolean isAsleep(B body) {
        return body.isAtRest() || body.isStatic();
    }

    @Override
    protected void writePose(B body, int slot, PoseWriter poses) {
        Transform transform = body.getTransform();
        double cos = transform.getCost();
        double sin = transform.getSint();
        // Half the angle without trigonometry, from the half that loses no digits.
        double halfCos;
        double halfSin;
        if (cos >= 0) {
            halfCos = Math.sqrt((1 + cos) / 2);
            halfSin = sin / (2 * halfCos);
        } else {
            halfSin = Math.sqrt((1 - cos) / 2);
            halfCos = sin / (2 * halfSin);
        }
        poses.set(
                slot,
                (float) transform.getTranslationX(),
                (float) transform.getTranslationY(),
                0,
                0,
                0,
                (float) halfSin,
                (float) halfCos);
    }

    @Override
    protected long addPose(long hash, B body) {
        Transform transform = body.getTransform();
        long position = StateHash.add(StateHash.add(hash, transform.getTranslationX()), transform.getTranslationY());
        return StateHash.add(StateHash.add(position, transform.getCost()), transform.getSint());
    }

    @Override
    protected long addVelocities(long hash, B body) {
        Vector2 velocity = body.getLinearVelocity();
        return StateHash.add(StateHash.add(StateHash.add(hash, velocity.x), velocity.y), body.getAngularVelocity());
    }

    @Override
    protected void tellContacts(ContactPairs touching) {
        Iterator<WorldCollisionData<B>> all = world.getCollisionDataIterator();
        while (all.hasNext()) {
            WorldCollisionData<B> data = all.next();
            if (data.isContactConstraintCollision()
                    && data.getContactConstraint().isEnabled()) {
                tell(data.getContactConstraint(), touching);
            }
        }
    }

    private void tell(ContactConstraint<B> constraint, ContactPairs touching) {
        int slot = slotOf(constraint.getBody1());
        int other = slotOf(constraint.getBody2());
        if ((slot == EventWriter.NO_BODY && other == EventWriter.NO_BODY) || touching.see(slot, other)) {
            return;
        }
        Contact deepest = constraint.getContacts().get(0);
        for (Contact contact : constraint.getContacts()) {
            deepest = contact.getDepth() > deepest.getDepth() ? contact : deepest;
        }
        Vector2 point = deepest.getPoint();
        Vector2 normal = constraint.getNormal(); // from the second to the first
        touching.begin(slot, other, (float) point.x, (float) point.y, 0, (float) -normal.x, (float) -normal.y, 0);
    }

    @Override
    protected void released() {
        world.removeStepListener(ownSteps);
    }
}
