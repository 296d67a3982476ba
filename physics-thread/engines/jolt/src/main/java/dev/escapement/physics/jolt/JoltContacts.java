package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.state.event.EventWriter;
import java.util.Arrays;

/**
 * Hears from Jolt which bodies touch. Jolt calls within an update; what it is told here are native addresses, valid during the
 * call.
 *
 * <p>Used by the physics thread alone, see {@link JoltWorld#listen}. No exception may leave a callback. A contact that begins costs
 * a few small objects of the binding; one that goes on costs none.
 */
final class JoltContacts extends CustomContactListener {

    @SuppressWarnings("EnumOrdinal") // that is how the binding numbers it
    private static final int ACCEPT = ValidateResult.AcceptAllContactsForThisBodyPair.ordinal();

    private final ContactPairs pairs;
    private boolean listening;

    // Sorted addresses of the bodies, and the slot of each: the binding cannot say which body it is without an object.
    private long[] addresses = {};
    private int[] slots = {};

    JoltContacts(ContactPairs pairs) {
        this.pairs = pairs;
    }

    /** Learns which bodies there are, each in the slot of its index. Everything else has no pose. */
    void know(Body[] bodies) {
        addresses = new long[bodies.length];
        for (int slot = 0; slot < bodies.length; slot++) {
            addresses[slot] = bodies[slot].va();
        }
        Arrays.sort(addresses);
        slots = new int[bodies.length];
        for (int slot = 0; slot < bodies.length; slot++) {
            slots[Arrays.binarySearch(addresses, bodies[slot].va())] = slot;
        }
    }

    /** What Jolt says while nobody listens is ignored. */
    void listen(boolean toListen) {
        listening = toListen;
    }

    /** The first that is heard of a contact, and the only time that Jolt tells the points. Does not come for what did not move. */
    @Override
    public int onContactValidate(long body, long other, double baseX, double baseY, double baseZ, long result) {
        if (listening) {
            int slot = slot(body);
            int otherSlot = slot(other);
            if (!pairs.see(slot, otherSlot)) {
                begin(slot, otherSlot, baseX, baseY, baseZ, new CollideShapeResult(result));
            }
        }
        return ACCEPT;
    }

    /** Half way between the deepest points of both. */
    private void begin(int slot, int other, double baseX, double baseY, double baseZ, CollideShapeResult result) {
        Vec3 on = result.getContactPointOn1();
        Vec3 onOther = result.getContactPointOn2();
        Vec3 axis = result.getPenetrationAxis();
        float scale = 1 / axis.length(); // of an axis of 0, the normal is not finite, and told as not known
        pairs.begin(
                slot,
                other,
                (float) (baseX + (on.getX() + onOther.getX()) / 2),
                (float) (baseY + (on.getY() + onOther.getY()) / 2),
                (float) (baseZ + (on.getZ() + onOther.getZ()) / 2),
                scale * axis.getX(),
                scale * axis.getY(),
                scale * axis.getZ());
    }

    /** Says nothing new: {@link #onContactValidate} came before. */
    @Override
    public void onContactAdded(long body, long other, long manifold, long settings) {}

    /** A contact that is not known here was there before anybody listened: nobody will be told where it began. */
    @Override
    public void onContactPersisted(long body, long other, long manifold, long settings) {
        if (listening) {
            int slot = slot(body);
            int otherSlot = slot(other);
            if (!pairs.see(slot, otherSlot)) {
                pairs.begin(slot, otherSlot, Float.NaN, Float.NaN, Float.NaN, Float.NaN, Float.NaN, Float.NaN);
            }
        }
    }

    /** Says nothing: Jolt removes contacts of bodies that fall asleep too. What has ended is what is not seen any more. */
    @Override
    public void onContactRemoved(long subShapePair) {}

    private int slot(long address) {
        int at = Arrays.binarySearch(addresses, address);
        return at < 0 ? EventWriter.NO_BODY : slots[at];
    }
}
