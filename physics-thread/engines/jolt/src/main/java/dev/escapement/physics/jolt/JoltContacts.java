package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import dev.escapement.physics.contact.ContactPairs;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hears from Jolt which bodies touch. Jolt calls within an update; what it is told here are native addresses, valid during the
 * call.
 *
 * <p>Used by the thread that updates, which does so alone. No exception may leave a callback. A contact that begins costs
 * a few small objects of the binding; one that goes on costs none.
 *
 * <p>The native half holds on to this object for ever, and Jolt to the native half: whoever is done here lets go with {@link #letGo}.
 */
final class JoltContacts extends CustomContactListener {

    @SuppressWarnings("EnumOrdinal") // that is how the binding numbers it
    private static final int ACCEPT = ValidateResult.AcceptAllContactsForThisBodyPair.ordinal();

    @SuppressWarnings("EnumOrdinal")
    private static final int ACCEPT_THIS = ValidateResult.AcceptContact.ordinal();

    private static final int FLOATS = 6;

    /** Jolt has one listener: this one passes on to another what it hears. */
    private final @Nullable CustomContactListener next;

    private ContactPairs pairs = new ContactPairs();
    private BodySlots slots = new BodySlots();
    private boolean listening;

    // Contacts of this step with a body that gets its slot only in the capture after it: two addresses and the geometry
    // of each.
    private long[] deferred = new long[16];
    private float[] geometry = new float[8 * FLOATS];
    private int deferredCount;

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
        if (toListen) {
            deferredCount = 0;
        }
    }

    /** After the capture: tells of contacts with bodies that have come with it. */
    void tellDeferred(ToIntFunction<Body> slotOf) {
        slots.learn(slotOf);
        for (int i = 0; i < deferredCount; i++) {
            int slot = slots.slotOf(deferred[2 * i]);
            int other = slots.slotOf(deferred[2 * i + 1]);
            if (!pairs.see(slot, other)) {
                int at = i * FLOATS;
                pairs.begin(
                        slot,
                        other,
                        geometry[at],
                        geometry[at + 1],
                        geometry[at + 2],
                        geometry[at + 3],
                        geometry[at + 4],
                        geometry[at + 5]);
            }
        }
        deferredCount = 0;
    }

    /** The first that is heard of a contact, and the only time that Jolt tells the points. Does not come for what did not move. */
    @Override
    public int onContactValidate(long body, long other, double baseX, double baseY, double baseZ, long result) {
        int verdict = next == null ? ACCEPT : next.onContactValidate(body, other, baseX, baseY, baseZ, result);
        if (listening && (verdict == ACCEPT || verdict == ACCEPT_THIS) && isNews(body, other)) {
            begin(body, other, baseX, baseY, baseZ, new CollideShapeResult(result));
        }
        return verdict;
    }

    private boolean isNews(long body, long other) {
        int slot = slots.slotOf(body);
        int otherSlot = slots.slotOf(other);
        return slot == BodySlots.NOT_YET || otherSlot == BodySlots.NOT_YET || !pairs.see(slot, otherSlot);
    }

    /** Half way between the deepest points of both. */
    private void begin(long body, long other, double baseX, double baseY, double baseZ, CollideShapeResult result) {
        Vec3 on = result.getContactPointOn1();
        Vec3 onOther = result.getContactPointOn2();
        Vec3 axis = result.getPenetrationAxis();
        float scale = 1 / axis.length(); // of an axis of 0, the normal is not finite, and told as not known
        begin(
                body,
                other,
                (float) (baseX + (on.getX() + onOther.getX()) / 2),
                (float) (baseY + (on.getY() + onOther.getY()) / 2),
                (float) (baseZ + (on.getZ() + onOther.getZ()) / 2),
                scale * axis.getX(),
                scale * axis.getY(),
                scale * axis.getZ());
    }

    private void begin(long body, long other, float x, float y, float z, float nx, float ny, float nz) {
        int slot = slots.slotOf(body);
        int otherSlot = slots.slotOf(other);
        if (slot != BodySlots.NOT_YET && otherSlot != BodySlots.NOT_YET) {
            pairs.begin(slot, otherSlot, x, y, z, nx, ny, nz);
            return;
        }
        if (2 * deferredCount == deferred.length) {
            deferred = Arrays.copyOf(deferred, 4 * deferredCount);
            geometry = Arrays.copyOf(geometry, 2 * deferredCount * FLOATS);
        }
        deferred[2 * deferredCount] = body;
        deferred[2 * deferredCount + 1] = other;
        int at = deferredCount * FLOATS;
        geometry[at] = x;
        geometry[at + 1] = y;
        geometry[at + 2] = z;
        geometry[at + 3] = nx;
        geometry[at + 4] = ny;
        geometry[at + 5] = nz;
        deferredCount++;
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
        if (listening && isNews(body, other)) {
            begin(body, other, Float.NaN, Float.NaN, Float.NaN, Float.NaN, Float.NaN, Float.NaN);
        }
    }

    /** Says nothing: Jolt removes contacts of bodies that fall asleep too. What has ended is what is not seen any more. */
    @Override
    public void onContactRemoved(long subShapePair) {
        if (next != null) {
            next.onContactRemoved(subShapePair);
        }
    }
}
