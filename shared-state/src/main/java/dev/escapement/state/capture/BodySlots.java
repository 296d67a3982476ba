package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state of all slots: which hold bodies, which are free, and which are reserved for bodies that are yet to be spawned. Snapshots copy
 * it from here.
 *
 * <p>A slot that was ever used is in one of four states: it has a body; it is free; it is free and its next id waits in {@link FreeIds}, where
 * any thread may take it; or a thread has taken its id: it is reserved. A body without a reserved id gets the lowest free slot, so that
 * blocks stay full and counting from 0 leaves no gap.
 *
 * <p><b>Going back.</b> A tick that runs again must give its new bodies the slots that they got when it ran first. Slots whose ids waited
 * then are {@link #held} for bodies that the restored state has by their ids. Slots that only undone ticks have used, {@link #undone}, count
 * as never used: a body gets the lowest of them if no other slot is free.
 *
 * <p>Physics thread only.
 */
final class BodySlots {

    /** The maximum for which an array of three floats per body is possible. */
    static final int MAX_SLOTS = 1 << 28;

    private final FreeIds freeIds;
    private int[] generations;
    private int slotCount;
    private int liveCount;

    /** Bodies from this slot on are despawned at the end of the capture. */
    private int surplusFrom = Integer.MAX_VALUE;

    private final BitSet free;

    /** No free slot is below this one. */
    private int lowest;

    /** Whether free slots stay free for the bodies of a state that is restored, so that their ids are not put into {@link #freeIds}. */
    private boolean holding;

    /** Free slots whose ids waited in {@link #freeIds} when {@link #hold} began; the next refill puts them back. */
    private final BitSet held = new BitSet();

    /** Slots that only undone ticks have used. Each is free, or its id waits in {@link #freeIds}. */
    private final BitSet undone = new BitSet();

    /** True once it is decided whether reserved ids stay valid, or are void because the first capture counted the bodies. */
    private boolean reservationsSettled;

    /** Bodies that are not to be blended. */
    final BitSet snapping;

    /** Bodies that show their last good pose. */
    final BitSet quarantined;

    BodySlots(int preallocatedBodies, FreeIds freeIds) {
        this.freeIds = freeIds;
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, freeIds.firstGeneration());
        free = new BitSet(preallocatedBodies);
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

    /** Whether a slot below {@link #slotCount()} is empty. */
    boolean hasGaps() {
        return liveCount != slotCount;
    }

    boolean isLive(int slot) {
        return slot >= 0 && slot < slotCount && BodyId.isLive(generations[slot]);
    }

    /** Stores for each of consecutive slots whether it has a body: 1 if so, otherwise 0. */
    void copyLive(int first, byte[] live) {
        int known = Math.max(0, Math.min(live.length, slotCount - first));
        Arrays.fill(live, 0, known, (byte) 1);
        Arrays.fill(live, known, live.length, (byte) 0);
        for (int i = 0; hasGaps() && i < known; i++) {
            live[i] = (byte) (isLive(first + i) ? 1 : 0);
        }
    }

    /** Whether a slot has a body that stays when the capture ends. */
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

    /** The slot with a body of this id, -1 if there is none. */
    int find(long id) {
        int slot = BodyId.slot(id);
        return isLive(slot) && generations[slot] == BodyId.generation(id) ? slot : -1;
    }

    /** The id of the body in a slot that has one. */
    long id(int slot) {
        return BodyId.of(slot, generations[slot]);
    }

    /** The generation of any slot, used or not. */
    int generation(int slot) {
        return slot < generations.length ? generations[slot] : freeIds.firstGeneration();
    }

    /** Sets how many bodies, from slot 0 on, stay when the capture ends; {@code Integer.MAX_VALUE} for all. */
    void keepFirst(int bodies) {
        surplusFrom = bodies;
    }

    /** Puts a body into the lowest free slot, or else into one that was never used. */
    int spawn() {
        keepReservations();
        int slot = lowestFree();
        while (slot >= 0 && held.get(slot)) {
            slot = free.nextSetBit(slot + 1);
        }
        slot = slot >= 0 ? slot : findUndone();
        slot = slot >= 0 ? slot : freeIds.takeNew();
        fill(slot);
        return slot;
    }

    /** The lowest slot that only undone ticks had used, if no thread has reserved it since; otherwise -1. */
    private int findUndone() {
        int slot = undone.nextSetBit(0);
        while (slot >= 0 && !free.get(slot) && !freeIds.withdraw(slot)) {
            slot = undone.nextSetBit(slot + 1);
        }
        return slot;
    }

    /**
     * Claims the slot of an id that was chosen elsewhere, for {@link #spawnAs}: from then on no thread can reserve it, or a never used slot
     * before it. False if it has a body or is reserved, or the generation is not one of a body.
     */
    boolean claim(long id) {
        int slot = BodyId.slot(id);
        if (!BodyId.isLive(BodyId.generation(id)) || slot < 0 || slot >= MAX_SLOTS || isLive(slot)) {
            return false;
        }
        keepReservations();
        grow(slot);
        if (!free.get(slot)) { // first, because it may allocate, and an error then loses no slot
            free.set(slot);
            free.clear(slot);
        }
        for (int claimed = freeIds.takeNewUpTo(slot); claimed <= slot; claimed++) {
            addFree(claimed);
        }
        if (freeIds.withdraw(slot)) {
            addFree(slot);
        }
        return free.get(slot);
    }

    /** Puts the body of an id into its slot, which was reserved or claimed for it. */
    void spawnAs(long id) {
        keepReservations();
        int slot = BodyId.slot(id);
        grow(slot);
        generations[slot] = BodyId.generation(id) - 1;
        fill(slot);
    }

    /** Frees a slot that was claimed for an id as if the id's body had just been despawned. */
    void despawnAs(long id) {
        int slot = BodyId.slot(id);
        spawnAs(id);
        despawn(slot);
        if (generations[slot] == freeIds.firstGeneration()) {
            undone.set(slot);
        }
    }

    private void fill(int slot) {
        grow(slot);
        free.clear(slot);
        undone.clear(slot);
        generations[slot]++;
        slotCount = Math.max(slotCount, slot + 1);
        liveCount++;
    }

    /** Takes the body out of its slot. */
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
        free.set(slot);
        lowest = Math.min(lowest, slot);
    }

    /** The lowest free slot, -1 if there is none. */
    private int lowestFree() {
        int slot = free.nextSetBit(lowest);
        lowest = slot >= 0 ? slot : Integer.MAX_VALUE;
        return slot;
    }

    /**
     * Starts to count bodies from 0. Allowed if no id was ever reserved, and in the first capture before any body was spawned: then
     * reserved ids become void, their slots are freed, and their generations skipped.
     */
    void beginCounting() {
        boolean may = freeIds.beginCounting(!reservationsSettled);
        if (!reservationsSettled) {
            reservationsSettled = true;
            for (int slot = 0; slot < freeIds.everUsed(); slot++) {
                if (!free.get(slot)) {
                    freeReserved(slot);
                }
            }
        }
        if (!may) {
            throw new IllegalStateException("bodies cannot be counted from 0 once an id was reserved, for a body that"
                    + " may get any slot; use spawn and despawn");
        }
        if (hasGaps()) {
            throw new IllegalStateException("bodies cannot be counted from 0 while there are gaps: " + liveCount
                    + " bodies are in slots 0 to " + (slotCount - 1) + "; use spawn and despawn");
        }
    }

    /** Settles that reserved ids are valid: bodies are spawned one by one, or the first capture has ended without counting them. */
    void keepReservations() {
        if (!reservationsSettled) {
            reservationsSettled = true;
            refillFreeIds();
        }
    }

    /**
     * Frees the slots of ids that were given back, and puts the ids of free slots into {@link #freeIds}. Called before each capture, and while
     * time stands still. Does nothing until a thread has reserved an id, so that a simulation that reserves none gets the lowest slots.
     */
    void refillFreeIds() {
        if (!freeIds.isUsed()) {
            return;
        }
        for (Long id = freeIds.nextGivenBack(); id != null; id = freeIds.nextGivenBack()) {
            if (isReserved(id)) { // unless the simulation has despawned it meanwhile
                freeReserved(BodyId.slot(id));
            }
        }
        if (!reservationsSettled || holding) {
            return; // no thread may take an id that may still become void
        }
        held.clear();
        freeIds.makeRoom();
        boolean fits = true;
        for (int slot = lowestFree(); fits && slot >= 0; slot = lowestFree()) {
            AtomicLong place = freeIds.place(slot); // first, because it may allocate
            free.clear(slot); // before it is put: an error of the virtual machine must not leave it in two places
            fits = freeIds.put(place, BodyId.of(slot, generations[slot] + 1));
            if (!fits) {
                addFree(slot);
                freeIds.missPlaces(free.cardinality());
            }
        }
    }

    /**
     * Holds the free slots for the bodies of a state that is restored, until {@link #letGo}.
     *
     * @return how many slots that had bodies are reserved already; then none are held
     */
    int hold() {
        refillFreeIds(); // frees what was given back
        int reserved = 0;
        for (int slot = 0; slot < Math.min(generations.length, freeIds.everUsed()); slot++) {
            if (freeIds.withdraw(slot)) {
                held.set(slot);
                addFree(slot);
            } else if (!isLive(slot) && !free.get(slot) && generations[slot] != freeIds.firstGeneration()) {
                reserved++;
            }
        }
        holding |= reserved == 0;
        return reserved;
    }

    /** Lets the next refill put the ids of the free slots into {@link #freeIds} again. */
    void letGo() {
        holding = false;
    }

    /** Whether this id is reserved, and was neither spawned nor given back since. */
    boolean isReserved(long id) {
        int slot = BodyId.slot(id);
        return slot >= 0
                && slot < freeIds.everUsed()
                && !isLive(slot)
                && !free.get(slot)
                && generation(slot) + 1 == BodyId.generation(id)
                && !freeIds.isWaiting(slot);
    }

    /** Frees a reserved slot whose body was never created. No body ever has its id: the next body has another generation. */
    void freeReserved(int slot) {
        grow(slot);
        generations[slot] += 2;
        undone.clear(slot);
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
                ? "it is gone or was given back, and its slot has generation " + generation(slot) + " now"
                : "it was never reserved";
    }

    /** The slot with a body of this id, which must be there. */
    int require(long id, long tick) {
        int found = find(id);
        if (found < 0) {
            int slot = BodyId.slot(id);
            String why = isReserved(id) ? "it is reserved; spawn it first" : "its slot is empty";
            throw new IllegalArgumentException("there is no body " + BodyId.toString(id) + " in tick " + tick + ": "
                    + (isLive(slot) ? "its slot has generation " + generations[slot] + " now" : why));
        }
        return found;
    }

    private void grow(int slot) {
        int known = generations.length;
        if (slot >= known) {
            generations = Arrays.copyOf(generations, Math.max(16, Math.max(slot + 1, 2 * known)));
            Arrays.fill(generations, known, generations.length, freeIds.firstGeneration());
        }
    }
}
