package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The states of all slots.
 *
 * <p>A slot is in one of five states, and each state is stored in one place:
 *
 * <pre>
 *   state        meaning                                          stored in
 *   never used   no body had it, no thread reserved it            from FreeIds.everUsed() on
 *   live         it holds a body                                  its generation is odd
 *   free         the physics thread may put a body into it        bit set "free"
 *   waiting      any thread may reserve its next id               FreeIds, its place
 *   reserved     a thread has its next id                         none of these
 * </pre>
 *
 * <p>A body without a reserved id gets the lowest free slot, so that blocks stay full and counting from 0 leaves no gap.
 *
 * <p><b>Seeking.</b> A re-simulated tick must give its new bodies the slots that they got in its first run. Two marks on free and waiting
 * slots achieve this. Slots whose ids were waiting are {@link #heldSlots} for bodies that the restored state names by their ids. Slots that
 * only undone ticks have used, {@link #undoneSlots}, count as never used: a body gets the lowest of them if no other slot is free.
 *
 * <p>Physics thread only.
 */
final class BodySlots {

    /** The maximum of slots for which an array of three floats per body is possible. */
    static final int MAX_SLOTS = 1 << 28;

    private final FreeIds freeIds;
    private int[] generations;
    private int slotCount;
    private int liveCount;

    private final BitSet freeSlots;

    /** No free slot is below this one. */
    private int lowest;

    /** The capture despawns bodies from this slot on at its end: a later count in the tick may keep them. */
    private int surplusFrom = Integer.MAX_VALUE;

    /** True while free slots stay free for the bodies of a restored state, so that none begins to wait. */
    private boolean isHolding;

    /** Free slots that were waiting at the call of {@link #hold}. The next {@link #offerFree} lets them wait again. */
    private final BitSet heldSlots = new BitSet();

    /** Slots that only undone ticks have used; free or waiting. */
    private final BitSet undoneSlots = new BitSet();

    /** Slots of bodies that readers do not blend. */
    final BitSet snapping;

    /** Slots of bodies with their last good pose. */
    final BitSet quarantined;

    BodySlots(int preallocatedBodies, FreeIds freeIds) {
        this.freeIds = freeIds;
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, freeIds.firstGeneration());
        freeSlots = new BitSet(preallocatedBodies);
        snapping = new BitSet(preallocatedBodies);
        quarantined = new BitSet(preallocatedBodies);
    }

    /** One more than the highest slot with a body. */
    int slotCount() {
        return slotCount;
    }

    int liveCount() {
        return liveCount;
    }

    /** Returns whether a slot below {@link #slotCount()} is empty. */
    boolean hasGaps() {
        return liveCount != slotCount;
    }

    boolean isLive(int slot) {
        return slot >= 0 && slot < slotCount && BodyId.isLive(generations[slot]);
    }

    /** Stores 1 for each slot with a body, else 0, from the slot {@code first} on. */
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

    /** One more than the highest slot with a body that stays when the capture ends. */
    int stayingSlots() {
        return Math.min(slotCount, surplusFrom);
    }

    /** Sets the number of bodies, from slot 0 on, that stay when the capture ends; {@code Integer.MAX_VALUE} for all. */
    void keepFirst(int bodies) {
        surplusFrom = bodies;
    }

    /** The slot of the body with this id, -1 if there is none. */
    int find(long id) {
        int slot = BodyId.slot(id);
        return isLive(slot) && generations[slot] == BodyId.generation(id) ? slot : -1;
    }

    /** The id of the body in a slot that has one. */
    long id(int slot) {
        return BodyId.of(slot, generations[slot]);
    }

    /** The id of the next body in a slot without one. */
    private long nextId(int slot) {
        return BodyId.of(slot, generations[slot] + 1);
    }

    /** The generation of any slot, used or not. */
    int generation(int slot) {
        return slot < generations.length ? generations[slot] : freeIds.firstGeneration();
    }

    /** Puts a body into the lowest free slot, or else into a never used one. */
    int spawn() {
        int slot = lowestFree();
        while (slot >= 0 && heldSlots.get(slot)) {
            slot = freeSlots.nextSetBit(slot + 1);
        }
        slot = slot >= 0 ? slot : takeUndone();
        slot = slot >= 0 ? slot : freeIds.takeNew();
        fill(slot);
        return slot;
    }

    /** Takes the lowest undone slot that no thread has reserved since, -1 if there is none. */
    private int takeUndone() {
        int slot = undoneSlots.nextSetBit(0);
        while (slot >= 0 && !freeSlots.get(slot) && !freeIds.withdraw(slot)) {
            slot = undoneSlots.nextSetBit(slot + 1);
        }
        return slot;
    }

    /**
     * Frees the slot of an id that another world or a saved state chose, for {@link #spawnAs}: no thread can reserve that slot any more,
     * nor a never used one below it. Returns false if the slot is live or reserved, or the generation is not one of a body.
     */
    boolean claim(long id) {
        int slot = BodyId.slot(id);
        if (!BodyId.isLive(BodyId.generation(id)) || slot < 0 || slot >= MAX_SLOTS || isLive(slot)) {
            return false;
        }
        grow(slot);
        for (int claimed = freeIds.takeNewUpTo(slot); claimed <= slot; claimed++) {
            addFree(claimed);
        }
        if (freeIds.withdraw(slot)) {
            addFree(slot);
        }
        return freeSlots.get(slot);
    }

    /** Puts the body of an id into its slot, which is reserved or claimed. */
    void spawnAs(long id) {
        int slot = BodyId.slot(id);
        grow(slot);
        generations[slot] = BodyId.generation(id) - 1;
        fill(slot);
    }

    /** Gives a claimed slot the generation that it has after the despawn of the id's body. */
    void despawnAs(long id) {
        int slot = BodyId.slot(id);
        spawnAs(id);
        despawn(slot);
        if (generations[slot] == freeIds.firstGeneration()) {
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

    /** Removes the body from its slot. */
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

    /** The lowest free slot, -1 if there is none. */
    private int lowestFree() {
        int slot = freeSlots.nextSetBit(lowest);
        lowest = slot >= 0 ? slot : Integer.MAX_VALUE;
        return slot;
    }

    /** Starts to count bodies from 0, if no thread has reserved an id. */
    void beginCounting() {
        if (hasGaps()) { // before FreeIds.beginCounting, after which threads can reserve no id
            throw new IllegalStateException("bodies cannot be counted from 0 while there are gaps: " + liveCount
                    + " bodies are in slots 0 to " + (slotCount - 1) + "; use spawn and despawn");
        }
        if (!freeIds.beginCounting()) {
            throw new IllegalStateException("bodies cannot be counted from 0 once an id was reserved, for a body that"
                    + " may get any slot; use spawn and despawn");
        }
    }

    /**
     * Frees the slots of released ids, and lets free slots wait for any thread. Does nothing before the first reservation: a simulation
     * without reservations gets the lowest slots. Call it before each capture, and in a pause.
     */
    void offerFree() {
        if (!freeIds.isUsed()) {
            return;
        }
        for (Long id = freeIds.nextReleased(); id != null; id = freeIds.nextReleased()) {
            if (isReserved(id)) { // else the simulation has despawned it meanwhile
                freeReserved(BodyId.slot(id));
            }
        }
        if (isHolding) {
            return; // no thread may take a held slot
        }
        heldSlots.clear();
        freeIds.makeRoom();
        int slot = lowestFree();
        while (slot >= 0 && freeIds.offer(nextId(slot))) {
            freeSlots.clear(slot);
            slot = lowestFree();
        }
        if (slot >= 0) {
            freeIds.requestRoom(freeSlots.cardinality());
        }
    }

    /**
     * Holds the free and waiting slots for the bodies of a restored state, until {@link #releaseHeld}.
     *
     * @return the number of used slots that threads have reserved already; above 0, none are held
     */
    int hold() {
        offerFree(); // frees the slots of released ids
        int reserved = 0;
        for (int slot = 0; slot < Math.min(generations.length, freeIds.everUsed()); slot++) {
            if (freeIds.withdraw(slot)) {
                heldSlots.set(slot);
                addFree(slot);
            } else if (generations[slot] != freeIds.firstGeneration() && isReserved(nextId(slot))) {
                reserved++;
            }
        }
        isHolding |= reserved == 0;
        return reserved;
    }

    /** Allows the next {@link #offerFree} to let free slots wait again. */
    void releaseHeld() {
        isHolding = false;
    }

    /** Returns whether this id is reserved, and neither spawned nor released since. */
    boolean isReserved(long id) {
        int slot = BodyId.slot(id);
        return slot >= 0
                && slot < freeIds.everUsed()
                && !isLive(slot)
                && !freeSlots.get(slot)
                && generation(slot) + 1 == BodyId.generation(id)
                && !freeIds.isWaiting(slot);
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
                && slot < freeIds.everUsed()
                && BodyId.isLive(BodyId.generation(id))
                && generation(slot) - BodyId.generation(id) > 0;
        return earlier
                ? "it is gone or was released, and its slot has generation " + generation(slot) + " now"
                : "it was never reserved";
    }

    /** The slot of the body with this id. Throws if there is none. */
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
            Arrays.fill(generations, room, generations.length, freeIds.firstGeneration());
        }
    }
}
