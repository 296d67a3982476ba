package dev.escapement.physics.ode4j;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.state.event.EventWriter;
import org.jspecify.annotations.Nullable;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContact;
import org.ode4j.ode.DContactBuffer;
import org.ode4j.ode.DContactGeom;
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
    private final ContactPairs pairs;
    private final DContactBuffer buffer = new DContactBuffer(MAX_PER_PAIR);
    private final DJointGroup joints = OdeHelper.createJointGroup();
    private final DGeom.DNearCallback join = (data, one, other) -> join(one, other);

    private boolean watched;

    Contacts(DWorld world, ContactPairs pairs) {
        this.world = world;
        this.pairs = pairs;
        for (DContact contact : buffer) {
            // Without the approximation, ODE takes mu for the largest force in newtons and not for a coefficient.
            contact.surface.mode = OdeConstants.dContactApprox1;
            contact.surface.mu = FRICTION;
        }
    }

    /** Replaces the joints of the step before. */
    void update(DSpace space, boolean contactsWanted) {
        watched = contactsWanted;
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
        if (watched && contacts > 0) {
            watch(slot(body), slot(otherBody), contacts);
        }
    }

    private void watch(int slot, int other, int contacts) {
        if (pairs.see(slot, other)) {
            return;
        }
        DContactGeom deepest = buffer.get(0).geom;
        for (int i = 1; i < contacts; i++) {
            DContactGeom contact = buffer.get(i).geom;
            deepest = contact.depth > deepest.depth ? contact : deepest;
        }
        // ODE's normal points into the first body.
        pairs.begin(
                slot,
                other,
                (float) deepest.pos.get0(),
                (float) deepest.pos.get1(),
                (float) deepest.pos.get2(),
                (float) -deepest.normal.get0(),
                (float) -deepest.normal.get1(),
                (float) -deepest.normal.get2());
    }

    private static int slot(@Nullable DBody body) {
        return body == null ? EventWriter.NO_BODY : (Integer) body.getData();
    }
}
