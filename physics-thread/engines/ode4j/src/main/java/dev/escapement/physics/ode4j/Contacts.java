package dev.escapement.physics.ode4j;

import org.ode4j.ode.DBody;
import org.ode4j.ode.DContact;
import org.ode4j.ode.DContactBuffer;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DJointGroup;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeConstants;
import org.ode4j.ode.OdeHelper;

/**
 * Finds where bodies touch and joins them there, for one step at a time.
 *
 * <p>Used by one thread.
 */
final class Contacts implements AutoCloseable {

    /** As many as two boxes can have: a face within a face, cut into an octagon. */
    private static final int MAX_PER_PAIR = 8;

    private static final double FRICTION = 0.5;

    private final DWorld world;
    private final DContactBuffer buffer = new DContactBuffer(MAX_PER_PAIR);
    private final DJointGroup joints = OdeHelper.createJointGroup();
    private final DGeom.DNearCallback join = (data, one, other) -> join(one, other);

    Contacts(DWorld world) {
        this.world = world;
        for (DContact contact : buffer) {
            // Without the approximation, ODE takes mu for the largest force in newtons and not for a coefficient.
            contact.surface.mode = OdeConstants.dContactApprox1;
            contact.surface.mu = FRICTION;
        }
    }

    /** Replaces the joints of the step before. */
    void update(DSpace space) {
        joints.empty();
        space.collide(null, join);
    }

    @Override
    public void close() {
        joints.destroy();
    }

    /** Sleeping pairs too: a box that another one wakes within the step must not fall through the one below. */
    private void join(DGeom one, DGeom other) {
        DBody body = one.getBody();
        DBody otherBody = other.getBody();
        int contacts = OdeHelper.collide(one, other, MAX_PER_PAIR, buffer.getGeomBuffer());
        for (int i = 0; i < contacts; i++) {
            OdeHelper.createContactJoint(world, joints, buffer.get(i)).attach(body, otherBody);
        }
    }
}
