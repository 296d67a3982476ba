package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The table of all slots. A slot is the index of a body in the arrays of a snapshot. Any thread reserves ids of future bodies, lock-free;
 * the physics thread spawns and despawns bodies.
 *
 * <p>A place is an atomic cell for the next id of one slot. Each slot is in one of five states:
 *
 * <pre>
 *   state        meaning                                          stored in
 *   never used   no body had it, no thread reserved it            from the count in "everUsed" on
 *   live         it holds a body                                  its generation is odd
 *   free         the physics thread may put a body into it        bit set "freeSlots"
 *   waiting      any thread may reserve its next id               its place has the id; "offeredPlaces" has the place
 *   reserved     a thread has its next id                         none of these
 * </pre>
 *
 * <p>A body without a reserved id gets the lowest free slot, so that blocks stay full and counting from 0 leaves no gap.
 *
 * <p><b>Reserving.</b> Guarantees, and the tests that fail when they are broken:
 *
 * <ol>
 *   <li>No two calls reserve the same id, and no freed slot is lost: {@code ReserveAgainstRefill}, {@code ReserveAgainstPut} and
 *       {@code ReserveAgainstClaim} (jcstress), in all orders of two threads. Exceptions: {@link PoseWriter#despawnAs}, and
 *       {@link PoseWriter#spawnAs} with an older generation, make ids available again that were used before.
 *   <li>No thread waits for another one. This class calls only these methods of the queue: {@code poll}, which repeats only if another
 *       thread has polled, {@code relaxedOffer}, {@code size}, {@code isEmpty} and {@code capacity}. {@code offer} would wait for a thread
 *       within a poll.
 *   <li>An error of the virtual machine within {@link #reserve}, such as a stack overflow, loses at most one id. If the error ends a poll,
 *       the queue may refuse offers until the physics thread replaces it:
 *       {@code ReservationTest.shouldLoseAtMostOneSlotToAFailedReservation}.
 *   <li>While the queue is empty, threads reserve never used slots, as long as there are some:
 *       {@code ReservationTest.shouldRefuseTheOneIdTooMany}.
 * </ol>
 *
 * <p><b>Seeking.</b> A re-simulated tick must give its new bodies the slots that they got when it first ran. Two marks on free and waiting
 * slots achieve this. The {@link #heldSlots} were waiting when the run went back: only bodies that the restored state names by their ids
 * get them. The {@link #undoneSlots} were used only by ticks that the run went back before. They count as never used: a new body gets the
 * lowest of them if no other slot is free.
 *
 * <p>Physics thread only, except {@link #reserve()}, {@link #release}, {@link #requireUncounted()} and {@link #everUsed()}.
 */
final class BodySlots {

    /** The largest power of two for which a Java array can hold four floats per body, as {@link PoseWriter#setAll} takes rotations. */
    static final int MAX_SLOTS = 1 << 28;

    /** Value of a slot's atomic cell after a thread has taken the id from it. No body has the id 0, because its generation is even. */
    private static final long TAKEN = 0;

    private static final int FIRST_CAPACITY = 64;

    private static final int EVER_RESERVED = 1 << 30;
    private static final int COUNTED = 1 << 29;
    private static final int SLOTS = COUNTED - 1;

    private final int maxSlots;
    private final int firstGeneration;

    /**
     * One integer for a count and two marks, because no id may be reserved once COUNTED is set:
     *
     * <pre>
     *   bit  30      EVER_RESERVED   a thread has reserved an id
     *   bit  29      COUNTED         the simulation counts its bodies from 0, reserve() throws, and no body gets an id from before
     *   bits 28..0   SLOTS           number of slots ever used or reserved
     * </pre>
     *
     * Plain and opaque accesses suffice, because only atomicity matters. If a thread hands a reserved id to another thread by a release,
     * the other thread also sees the count that includes the id's slot.
     */
    private final AtomicInteger everUsed = new AtomicInteger();

    /**
     * The cells of all waiting slots, and of some that were withdrawn. Volatile: the store in offerFree releases the new queue to the load
     * in reserve; else a thread could see the queue before its array. A thread that still polls the old queue finds it empty, because the
     * physics thread offers nothing there.
     */
    private volatile SpmcVarHandleArrayQueue<AtomicLong> offeredPlaces = new SpmcVarHandleArrayQueue<>(FIRST_CAPACITY);

    /** Ids that threads have released, until the physics thread frees their slots. Releases are rare, so each may allocate a node. */
    private final ConcurrentLinkedQueue<Long> releasedIds = new ConcurrentLinkedQueue<>();

    // Only the physics thread accesses the fields below.

    /** Per slot: the atomic cell with its next id, or with {@link #TAKEN} if no thread can take an id from it; null if it has no cell. */
    private @Nullable AtomicLong[] places = {};

    /** The least capacity of the next {@link #offeredPlaces}, if the current queue refused a slot; else 0. */
    private int placesNeeded;

    private int[] generations;
    private int slotCount;
    private int liveCount;

    private final BitSet freeSlots;

    /** No free slot is below this one. */
    private int lowest;

    /**
     * The end of the capture despawns the bodies from this slot on. It does not despawn them at once, because a later body count in the
     * same tick may keep them.
     */
    private int surplusFrom = Integer.MAX_VALUE;

    /** True while free slots are kept for the bodies of a restored state. Then {@link #offerFree} offers none to threads. */
    private boolean isHolding;

    /**
     * Free slots whose ids any thread could reserve until {@link #hold} took them back. {@link #spawn} uses none of them, unless it is
     * undone, too, so that bodies with ids from a restored state find them free. After {@link #releaseHeld}, {@link #offerFree} offers them
     * again.
     */
    private final BitSet heldSlots = new BitSet();

    /**
     * Slots without a body whose earlier bodies all spawned in ticks that a seek has undone. New bodies get them last, like unused slots.
     */
    private final BitSet undoneSlots = new BitSet();

    /** Slots of bodies that readers do not blend between ticks. */
    final BitSet snapping;

    /** Slots of bodies whose last good pose replaces a bad one. */
    final BitSet quarantined;

    BodySlots(int preallocatedBodies, int maxSlots, int firstGeneration) {
        this.maxSlots = maxSlots;
        this.firstGeneration = firstGeneration;
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, firstGeneration);
        freeSlots = new BitSet(preallocatedBodies);
        snapping = new BitSet(preallocatedBodies);
        quarantined = new BitSet(preallocatedBodies);
    }

    /** Reserves an id that no body has or had. Any thread; allocates nothing. */
    long reserve() {
        beginReserving(); // even if takeNew then throws: only this makes the physics thread offer free slots
        for (AtomicLong place = offeredPlaces.poll(); place != null; place = offeredPlaces.poll()) {
            long id = place.getAndSet(TAKEN); // atomic: of this and a concurrent withdraw, only one gets the id
            if (id != TAKEN) {
                return id;
            }
        }
        return BodyId.of(takeNew(true), firstGeneration + 1);
    }

    private void beginReserving() {
        while (!hasReserved()) {
            int use = everUsed.getOpaque();
            requireUncounted(use);
            everUsed.weakCompareAndSetPlain(use, use | EVER_RESERVED);
        }
    }

    private static void requireUncounted(int use) {
        if ((use & COUNTED) != 0) {
            throw new IllegalStateException("no id can be reserved: the simulation counts its bodies from 0; let it use"
                    + " PoseWriter.spawn and despawn instead of bodyCount");
        }
    }

    /** Throws if the simulation counts its bodies. Any thread. */
    void requireUncounted() {
        requireUncounted(everUsed.getOpaque());
    }

    /**
     * Returns whether a thread has reserved an id, and the simulation does not count its bodies. Opaque is enough, because {@link
     * #offeredPlaces} and {@link #releasedIds} order everything that depends on the result.
     */
    private boolean hasReserved() {
        return (everUsed.getOpaque() & (EVER_RESERVED | COUNTED)) == EVER_RESERVED;
    }

    private int takeNew(boolean reserves) {
        while (true) {
            int use = everUsed.getOpaque();
            if (reserves) {
                requireUncounted(use);
            }
            requireSlot(use & SLOTS);
            if (everUsed.weakCompareAndSetPlain(use, use + 1)) {
                return use & SLOTS;
            }
        }
    }

    /**
     * Takes all never used slots up to {@code last}, and {@code last} itself, in one step, so that no thread can reserve one of them. Takes
     * none if other threads took all of them before.
     *
     * @return the first taken slot; beyond {@code last} if none was taken
     */
    private int takeNewUpTo(int last) {
        requireSlot(last);
        while (true) {
            int use = everUsed.getOpaque();
            int first = use & SLOTS;
            if (first > last || everUsed.weakCompareAndSetPlain(use, use + last + 1 - first)) {
                return first;
            }
        }
    }

    private void requireSlot(int slot) {
        if (slot >= maxSlots) {
            throw new IllegalStateException("all " + maxSlots + " slots have a body or are reserved for one");
        }
    }

    int everUsed() {
        return everUsed.getOpaque() & SLOTS;
    }

    void release(long id) {
        if (hasReserved()) { // offerFree empties the queue only after the first reservation
            releasedIds.add(id);
        }
    }

    /** One more than the highest slot with a body. */
    int slotCount() {
        return slotCount;
    }

    int liveCount() {
        return liveCount;
    }

    boolean hasGaps() {
        return liveCount != slotCount;
    }

    boolean isLive(int slot) {
        return slot >= 0 && slot < slotCount && BodyId.isLive(generations[slot]);
    }

    void copyLive(int first, byte[] live) {
        int used = Math.max(0, Math.min(live.length, slotCount - first));
        Arrays.fill(live, 0, used, (byte) 1);
        Arrays.fill(live, used, live.length, (byte) 0);
        for (int i = 0; hasGaps() && i < used; i++) {
            live[i] = (byte) (isLive(first + i) ? 1 : 0);
        }
    }

    /** Returns whether a slot has a body that stays when the capture ends. */
    boolean stays(int slot) {
        return isLive(slot) && slot < surplusFrom;
    }

    void requireStaying(int slot) {
        if (!stays(slot)) {
            throw new IndexOutOfBoundsException("there is no body " + slot + ": this tick has "
                    + Math.min(liveCount, surplusFrom)
                    + " bodies" + (hasGaps() ? " in slots 0 to " + (slotCount - 1) : ""));
        }
    }

    int stayingSlots() {
        return Math.min(slotCount, surplusFrom);
    }

    /** Sets the number of bodies, from slot 0 on, that stay when the capture ends; {@code Integer.MAX_VALUE} for all. */
    void keepFirst(int bodies) {
        surplusFrom = bodies;
    }

    int find(long id) {
        int slot = BodyId.slot(id);
        return isLive(slot) && generations[slot] == BodyId.generation(id) ? slot : -1;
    }

    long id(int slot) {
        return BodyId.of(slot, generations[slot]);
    }

    private long nextId(int slot) {
        return BodyId.of(slot, generations[slot] + 1);
    }

    int generation(int slot) {
        return slot < generations.length ? generations[slot] : firstGeneration;
    }

    /** Puts a body into the lowest free slot that is not held, or else into one that is, or counts as, never used. */
    int spawn() {
        int slot = lowestFree();
        while (slot >= 0 && heldSlots.get(slot)) {
            slot = freeSlots.nextSetBit(slot + 1);
        }
        slot = slot >= 0 ? slot : takeUndone();
        slot = slot >= 0 ? slot : takeNew(false);
        fill(slot);
        return slot;
    }

    private int takeUndone() {
        int slot = undoneSlots.nextSetBit(0);
        while (slot >= 0 && !freeSlots.get(slot) && !withdraw(slot)) {
            slot = undoneSlots.nextSetBit(slot + 1);
        }
        return slot;
    }

    /**
     * Frees the slot of an id that another world or a saved state chose, for {@link #spawnAs}: no thread can reserve that slot any more,
     * nor a never used one below it. Returns false if the slot is live or reserved, or if the id's generation is even, which no body has.
     */
    boolean claim(long id) {
        int slot = BodyId.slot(id);
        if (!BodyId.isLive(BodyId.generation(id)) || slot < 0 || slot >= MAX_SLOTS || isLive(slot)) {
            return false;
        }
        grow(slot);
        for (int claimed = takeNewUpTo(slot); claimed <= slot; claimed++) {
            addFree(claimed);
        }
        if (withdraw(slot)) {
            addFree(slot);
        }
        return freeSlots.get(slot);
    }

    void spawnAs(long id) {
        int slot = BodyId.slot(id);
        grow(slot);
        generations[slot] = BodyId.generation(id) - 1;
        fill(slot);
    }

    void despawnAs(long id) {
        int slot = BodyId.slot(id);
        spawnAs(id);
        despawn(slot);
        if (generations[slot] == firstGeneration) {
            undoneSlots.set(slot);
        }
    }

    private void fill(int slot) {
        grow(slot);
        freeSlots.clear(slot);
        undoneSlots.clear(slot);
        generations[slot]++;
        slotCount = Math.max(slotCount, slot + 1);
        liveCount++;
    }

    void despawn(int slot) {
        generations[slot]++;
        addFree(slot);
        liveCount--;
        snapping.clear(slot);
        quarantined.clear(slot);
        while (slotCount > 0 && !BodyId.isLive(generations[slotCount - 1])) {
            slotCount--;
        }
    }

    private void addFree(int slot) {
        freeSlots.set(slot);
        lowest = Math.min(lowest, slot);
    }

    private int lowestFree() {
        int slot = freeSlots.nextSetBit(lowest);
        lowest = slot >= 0 ? slot : Integer.MAX_VALUE;
        return slot;
    }

    void beginCounting() {
        if (hasGaps()) { // before markCounted, after which no thread could reserve an id
            throw new IllegalStateException("bodies cannot be counted from 0 while there are gaps: " + liveCount
                    + " bodies are in slots 0 to " + (slotCount - 1) + "; use spawn and despawn");
        }
        if (!markCounted()) {
            throw new IllegalStateException("bodies cannot be counted from 0 once an id was reserved and bodies live,"
                    + " because they may have any slots; use spawn and despawn");
        }
    }

    /**
     * Sets {@link #COUNTED}, so that {@link #reserve()} throws from now on, and takes back all ids that threads have reserved. Returns
     * false, and sets nothing, if a thread has reserved an id and bodies live.
     */
    private boolean markCounted() {
        while (true) {
            int use = everUsed.getOpaque();
            if ((use & COUNTED) != 0) {
                return true;
            }
            int reserved = (use & EVER_RESERVED) != 0 ? use & SLOTS : 0; // or released, or lost
            if (reserved > 0 && liveCount > 0) {
                return false;
            }
            if (everUsed.weakCompareAndSetPlain(use, use | COUNTED)) {
                for (int slot = 0; slot < reserved; slot++) {
                    withdraw(slot);
                    freeReserved(slot);
                }
                return true;
            }
        }
    }

    /**
     * Frees the slots of released ids, and offers free slots to threads that reserve. Does nothing before the first reservation: a
     * simulation without reservations gets the lowest slots. Call it before each capture, and in a pause.
     */
    void offerFree() {
        if (!hasReserved()) {
            return;
        }
        for (Long id = releasedIds.poll(); id != null; id = releasedIds.poll()) {
            if (isReserved(id)) { // else the simulation has despawned the id, which freed its slot
                freeReserved(BodyId.slot(id));
            }
        }
        if (isHolding) {
            return;
        }
        heldSlots.clear();
        if (placesNeeded > 0 && offeredPlaces.isEmpty()) {
            offeredPlaces = new SpmcVarHandleArrayQueue<>(Math.max(offeredPlaces.capacity(), placesNeeded));
        }
        int slot = lowestFree();
        while (slot >= 0 && offer(slot)) {
            freeSlots.clear(slot);
            slot = lowestFree();
        }
        // If a free slot is left, the queue has refused it: the queue is too small, or an error within a poll has
        // blocked it.
        placesNeeded = slot >= 0 ? offeredPlaces.size() + freeSlots.cardinality() : 0;
    }

    private boolean offer(int slot) {
        if (slot >= places.length) {
            places = Arrays.copyOf(places, Math.max(slot + 1, 2 * places.length));
        }
        AtomicLong place = places[slot];
        if (place == null) {
            place = new AtomicLong();
            places[slot] = place;
        }
        // Plain, before relaxedOffer, whose release pairs with poll: else a thread could find TAKEN and lose the slot.
        place.setPlain(nextId(slot));
        boolean fits = offeredPlaces.relaxedOffer(place);
        if (!fits) {
            place.setPlain(TAKEN); // else isWaiting would return true even when the slot has a body
        }
        return fits;
    }

    /** Returns whether any thread may still reserve the slot's next id. A thread stores {@link #TAKEN} before it has the id. */
    private boolean isWaiting(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        // Plain is enough: the simulation got a reserved id from the thread that took it, which orders that thread's
        // getAndSet before this load.
        return place != null && place.getPlain() != TAKEN;
    }

    /**
     * Takes the next id of a slot back, so that no thread can reserve it. Returns false if no id was offered, or a thread took it first.
     */
    private boolean withdraw(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        if (place == null || place.getPlain() == TAKEN) { // plain: if the value is stale, getAndSet below finds TAKEN
            return false;
        }
        places[slot] = null; // the queue still holds the cell, for a poll that finds it TAKEN
        return place.getAndSet(TAKEN) != TAKEN; // atomic: of this and a concurrent reserve, only one gets the id
    }

    /**
     * Keeps threads from reserving used slots until {@link #releaseHeld}, so that the bodies of a restored state find their slots free.
     *
     * @return the number of used slots that threads have reserved already; if it is above 0, no slots are held
     */
    int hold() {
        offerFree(); // frees the slots of released ids
        int reserved = 0;
        for (int slot = 0; slot < Math.min(generations.length, everUsed()); slot++) {
            if (withdraw(slot)) {
                heldSlots.set(slot);
                addFree(slot);
            } else if (generations[slot] != firstGeneration && isReserved(nextId(slot))) {
                reserved++;
            }
        }
        isHolding |= reserved == 0;
        return reserved;
    }

    void releaseHeld() {
        isHolding = false;
    }

    boolean isReserved(long id) {
        int slot = BodyId.slot(id);
        return slot >= 0
                && slot < everUsed()
                && !isLive(slot)
                && !freeSlots.get(slot)
                && generation(slot) + 1 == BodyId.generation(id)
                && !isWaiting(slot);
    }

    /** Frees a reserved slot. No body gets the reserved id: the next body has another generation. */
    void freeReserved(int slot) {
        grow(slot);
        generations[slot] += 2;
        undoneSlots.clear(slot);
        addFree(slot);
    }

    void requireReserved(long id, long tick) {
        if (!isReserved(id)) {
            throw new IllegalArgumentException(
                    "body " + BodyId.toString(id) + " cannot be spawned in tick " + tick + ": " + whyNotReserved(id));
        }
    }

    private String whyNotReserved(long id) {
        int slot = BodyId.slot(id);
        if (find(id) >= 0) {
            return "it lives already";
        }
        boolean earlier = slot >= 0
                && slot < everUsed()
                && BodyId.isLive(BodyId.generation(id))
                && generation(slot) - BodyId.generation(id) > 0;
        return earlier
                ? "it is gone or was released, and its slot has generation " + generation(slot) + " now"
                : "it was never reserved";
    }

    int require(long id, long tick) {
        int live = find(id);
        if (live < 0) {
            int slot = BodyId.slot(id);
            String why = isReserved(id) ? "it is reserved; spawn it first" : "its slot is empty";
            throw new IllegalArgumentException("there is no body " + BodyId.toString(id) + " in tick " + tick + ": "
                    + (isLive(slot) ? "its slot has generation " + generations[slot] + " now" : why));
        }
        return live;
    }

    private void grow(int slot) {
        int room = generations.length;
        if (slot >= room) {
            generations = Arrays.copyOf(generations, Math.max(16, Math.max(slot + 1, 2 * room)));
            Arrays.fill(generations, room, generations.length, firstGeneration);
        }
    }
}
