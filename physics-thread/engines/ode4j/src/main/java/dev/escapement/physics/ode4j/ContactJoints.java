package dev.escapement.physics.ode4j;

import dev.escapement.physics.contact.ContactPairs;
import org.jspecify.annotations.Nullable;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContactGeom;
import org.ode4j.ode.DContactJoint;
import org.ode4j.ode.DJoint;

/** Tells contacts from the joints that a game has made of them, of which two bodies may have several. */
final class ContactJoints {

    private ContactJoints() {}

    /** What a body is joined to on its other side, null for what has no body. */
    static @Nullable DBody other(DJoint joint, DBody body) {
        DBody first = joint.getBody(0);
        return first == body ? joint.getBody(1) : first;
    }

    /** Begins a contact at the deepest point that joins two bodies. */
    static void begin(DBody body, int slot, @Nullable DBody other, int otherSlot, ContactPairs touching) {
        DContactJoint deepest = deepest(body, other);
        DContactGeom geom = deepest.getContact().geom;
        int towardsOther = deepest.getBody(0) == body ? -1 : 1; // ODE's normal points into the first body
        touching.begin(
                slot,
                otherSlot,
                (float) geom.pos.get0(),
                (float) geom.pos.get1(),
                (float) geom.pos.get2(),
                (float) (towardsOther * geom.normal.get0()),
                (float) (towardsOther * geom.normal.get1()),
                (float) (towardsOther * geom.normal.get2()));
    }

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
}
