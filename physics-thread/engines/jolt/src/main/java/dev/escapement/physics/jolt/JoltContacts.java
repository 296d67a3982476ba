package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.ContactListener;
import com.github.stephengold.joltjni.CustomContactListener;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.ValidateResult;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.state.event.EventWriter;
import java.util.Arrays;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The contact listener of a Jolt system. Jolt calls it within an update, with native addresses that are valid during the call.
 *
 * <p>Used by the updating thread only. No exception may leave a callback. A contact that begins allocates a few small objects of the
 * binding; one that continues allocates none.
 *
 * <p>Jolt keeps the native listener for ever, and that keeps this object: call {@link #letGo} at the end to free what it refers to.
 */
final class JoltContacts extends CustomContactListener {

    @SuppressWarnings("EnumOrdinal") // the binding numbers it so
    private static final int ACCEPT = ValidateResult.AcceptAllContactsForThisBodyPair.ordinal();

    @SuppressWarnings("EnumOrdinal")
    private static final int ACCEPT_THIS = ValidateResult.AcceptContact.ordinal();

    private static final int NUMBERS = 7;

    /** The game's listener, which gets all calls too: a Jolt system has only one. */
    private final @Nullable CustomContactListener next;

    /** Whether the game's listener is called beside this one, which does not hear what it rejects. */
    private final boolean isBeside;

    /** The slot of the first attached body that was not captured yet; that of the next one is one less, and so on. */
    static final int NOT_YET = ContactPairs.ClosingSpeeds.FIRST_WITHOUT_SLOT;

    private ContactPairs pairs = new ContactPairs();
    private LongToIntFunction slots = address -> EventWriter.NO_BODY;
    private ContactPairs.ClosingSpeeds speeds = ContactPairs.ClosingSpeeds.UNKNOWN;
    private boolean listening;

    // Contacts of this step with a body that gets its slot in the capture after it: two addresses and the geometry of
    // each.
    private long[] deferred = new long[16];
    private double[] geometry = new double[8 * NUMBERS];
    private int deferredCount;

    private JoltContacts(@Nullable CustomContactListener next, boolean isBeside) {
        this.next = next;
        this.isBeside = isBeside;
    }

    /** The listener of a system: an earlier one of ours, or a new one that replaces the game's. */
    static JoltContacts of(PhysicsSystem system) {
        requireToShare(system);
        ContactListener present = system.getContactListener();
        if (present instanceof JoltContacts ours) {
            return ours;
        }
        if (present == null || present instanceof CustomContactListener) {
            JoltContacts contacts = new JoltContacts((CustomContactListener) present, false);
            system.setContactListener(contacts);
            return contacts;
        }
        JoltContacts contacts = new JoltContacts(null, true); // Java cannot call what filters or combines natively
        system.setContactListener(JoltBinding.listed(present, contacts));
        return contacts;
    }

    /** Throws an {@link IllegalStateException} if the game's listener is of a kind that cannot get all calls too. */
    static void requireToShare(PhysicsSystem system) {
        ContactListener present = system.getContactListener();
        if (present != null && !(present instanceof CustomContactListener) && !JoltBinding.hasListenerLists()) {
            throw new IllegalStateException(
                    system + " has a " + present.getClass().getSimpleName()
                            + " for a contact listener, which would get no contacts any more; set a"
                            + " CustomContactListener instead, or none, or use jolt-jni 3.2.0 or newer");
        }
    }

    /**
     * Reports contacts from now on.
     *
     * @param newSlots  the slot of the body at an address, {@link #NOT_YET} or less, or {@link EventWriter#NO_BODY} if it is not attached
     * @param newSpeeds how fast bodies approach
     */
    void report(ContactPairs newPairs, LongToIntFunction newSlots, ContactPairs.ClosingSpeeds newSpeeds) {
        pairs = newPairs;
        slots = newSlots;
        speeds = newSpeeds;
    }

    void letGo() {
        listening = false;
        report(new ContactPairs(), address -> EventWriter.NO_BODY, ContactPairs.ClosingSpeeds.UNKNOWN);
    }

    /** Turns listening on or off. While it is off, calls are only passed on to the game's listener. */
    void listen(boolean toListen) {
        listening = toListen;
        if (toListen) {
            deferredCount = 0;
        }
    }

    /** Reports contacts with bodies that got their slot in the capture. Called after it; a run that is repeated has none, and no slots. */
    void reportDeferred() {
        double[] g = geometry;
        for (int i = 0; i < deferredCount; i++) {
            int slot = Math.max(EventWriter.NO_BODY, slots.applyAsInt(deferred[2 * i]));
            int other = Math.max(EventWriter.NO_BODY, slots.applyAsInt(deferred[2 * i + 1]));
            if (!pairs.see(slot, other)) {
                int at = i * NUMBERS;
                pairs.begin(slot, other, g[at], g[at + 1], g[at + 2], g[at + 3], g[at + 4], g[at + 5]);
                pairs.closingSpeed(g[at + 6]); // before the solve, not now
            }
        }
        deferredCount = 0;
    }

    /** Jolt's first call for a contact, and the only one with its points. It does not come for bodies that have not moved. */
    @Override
    public int onContactValidate(long body, long other, double baseX, double baseY, double baseZ, long result) {
        int verdict = next == null ? ACCEPT : next.onContactValidate(body, other, baseX, baseY, baseZ, result);
        if (listening && !isBeside && (verdict == ACCEPT || verdict == ACCEPT_THIS) && isNews(body, other)) {
            begin(body, other, baseX, baseY, baseZ, new CollideShapeResult(result));
        }
        return verdict;
    }

    private boolean isNews(long body, long other) {
        int slot = slots.applyAsInt(body);
        int otherSlot = slots.applyAsInt(other);
        return slot <= NOT_YET || otherSlot <= NOT_YET || !pairs.see(slot, otherSlot);
    }

    /** Reports a contact halfway between the deepest points of both bodies. */
    private void begin(long body, long other, double baseX, double baseY, double baseZ, CollideShapeResult result) {
        Vec3 on = result.getContactPointOn1();
        Vec3 onOther = result.getContactPointOn2();
        Vec3 axis = result.getPenetrationAxis();
        float scale = 1 / axis.length(); // if the axis is 0, the normal is not finite, and reported as not known
        begin(
                body,
                other,
                baseX + (on.getX() + onOther.getX()) / 2,
                baseY + (on.getY() + onOther.getY()) / 2,
                baseZ + (on.getZ() + onOther.getZ()) / 2,
                scale * axis.getX(),
                scale * axis.getY(),
                scale * axis.getZ());
    }

    private void begin(long body, long other, double x, double y, double z, double nx, double ny, double nz) {
        int slot = slots.applyAsInt(body);
        int otherSlot = slots.applyAsInt(other);
        if (slot > NOT_YET && otherSlot > NOT_YET) {
            pairs.begin(slot, otherSlot, x, y, z, nx, ny, nz);
            return;
        }
        if (2 * deferredCount == deferred.length) {
            deferred = Arrays.copyOf(deferred, 4 * deferredCount);
            geometry = Arrays.copyOf(geometry, 2 * deferredCount * NUMBERS);
        }
        deferred[2 * deferredCount] = body;
        deferred[2 * deferredCount + 1] = other;
        int at = deferredCount * NUMBERS;
        geometry[at] = x;
        geometry[at + 1] = y;
        geometry[at + 2] = z;
        geometry[at + 3] = nx;
        geometry[at + 4] = ny;
        geometry[at + 5] = nz;
        geometry[at + 6] = speeds.of(slot, otherSlot, x, y, z, nx, ny, nz);
        deferredCount++;
    }

    /** Needed only beside a listener that may have rejected the contact; otherwise {@link #onContactValidate} came before. */
    @Override
    public void onContactAdded(long body, long other, long manifold, long settings) {
        if (next != null) {
            next.onContactAdded(body, other, manifold, settings);
        }
        if (isBeside) {
            beginWithoutPoint(body, other);
        }
    }

    /** Reports a contact that is not known yet, without its point: it began before listening was turned on. */
    @Override
    public void onContactPersisted(long body, long other, long manifold, long settings) {
        if (next != null) {
            next.onContactPersisted(body, other, manifold, settings);
        }
        beginWithoutPoint(body, other);
    }

    private void beginWithoutPoint(long body, long other) {
        if (listening && isNews(body, other)) {
            begin(body, other, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
    }

    /** Not used, because Jolt also removes contacts of bodies that fall asleep. A contact ends when a step does not report it. */
    @Override
    public void onContactRemoved(long subShapePair) {
        if (next != null) {
            next.onContactRemoved(subShapePair);
        }
    }
}
