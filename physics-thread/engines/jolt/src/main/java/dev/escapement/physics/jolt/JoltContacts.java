package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import dev.escapement.physics.contact.ContactPairs;
import org.jspecify.annotations.Nullable;

/**
 * Hears from Jolt which bodies touch. Jolt calls within an update; what it is told here are native addresses, valid during the
 * call.
 *
 * <p>Used by the thread that updates alone, see {@link JoltWorld#listen}. No exception may leave a callback. A contact that begins costs
 * a few small objects of the binding; one that goes on costs none.
 *
 * <p>The native half holds on to this object for ever, and Jolt to the native half: whoever is done here lets go with {@link #letGo}.
 */
final class JoltContacts extends CustomContactListener {

    @SuppressWarnings("EnumOrdinal") // that is how the binding numbers it
    private static final int ACCEPT = ValidateResult.AcceptAllContactsForThisBodyPair.ordinal();

    @SuppressWarnings("EnumOrdinal")
    private static final int ACCEPT_THIS = ValidateResult.AcceptContact.ordinal();

    /** Jolt has one listener: this one passes on to another what it hears. */
    private final @Nullable CustomContactListener next;

    private ContactPairs pairs = new ContactPairs();
    private BodySlots slots = new BodySlots();
    private boolean listening;

    JoltContacts(@Nullable CustomContactListener next) {
        this.next = next;
    }

    /** Tells of contacts of these bodies from now on. Everything else has no pose. */
    void tell(ContactPairs newPairs, BodySlots newSlots) {
        pairs = newPairs;
        slots = newSlots;
    }

    void letGo() {
        listening = false;
        tell(new ContactPairs(), new BodySlots());
    }

    /** What Jolt says while nobody listens is passed on, and else ignored. */
    void listen(boolean toListen) {
        listening = toListen;
    }

    /** The first that is heard of a contact, and the only time that Jolt tells the points. Does not come for what did not move. */
    @Override
    public int onContactValidate(long body, long other, double baseX, double baseY, double baseZ, long result) {
        int verdict = next == null ? ACCEPT : next.onContactValidate(body, other, baseX, baseY, baseZ, result);
        if (listening && (verdict == ACCEPT || verdict == ACCEPT_THIS)) {
            int slot = slots.slotOf(body);
            int otherSlot = slots.slotOf(other);
            if (isTold(slot, otherSlot) && !pairs.see(slot, otherSlot)) {
                begin(slot, otherSlot, baseX, baseY, baseZ, new CollideShapeResult(result));
            }
        }
        return verdict;
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
    public void onContactAdded(long body, long other, long manifold, long settings) {
        if (next != null) {
            next.onContactAdded(body, other, manifold, settings);
        }
    }

    /** A contact that is not known here was there before anybody listened: nobody will be told where it began. */
    @Override
    public void onContactPersisted(long body, long other, long manifold, long settings) {
        if (next != null) {
            next.onContactPersisted(body, other, manifold, settings);
        }
        if (listening) {
            int slot = slots.slotOf(body);
            int otherSlot = slots.slotOf(other);
            if (isTold(slot, otherSlot) && !pairs.see(slot, otherSlot)) {
                pairs.begin(slot, otherSlot, Float.NaN, Float.NaN, Float.NaN, Float.NaN, Float.NaN, Float.NaN);
            }
        }
    }

    /** Says nothing: Jolt removes contacts of bodies that fall asleep too. What has ended is what is not seen any more. */
    @Override
    public void onContactRemoved(long subShapePair) {
        if (next != null) {
            next.onContactRemoved(subShapePair);
        }
    }

    /** Of a body that has no slot before the capture after this step, the next step tells. */
    private static boolean isTold(int slot, int other) {
        return slot != BodySlots.NOT_YET && other != BodySlots.NOT_YET && (slot >= 0 || other >= 0);
    }
}
