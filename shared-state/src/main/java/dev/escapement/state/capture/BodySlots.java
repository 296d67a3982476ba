package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of all slots: which hold bodies, which are free, and which are reserved for bodies that are yet to be spawned. Snapshots copy
 * it from here.
 *
 * <p>A slot that was ever used is in one of four states: it has a body, it is free, it waits in the {@link SlotReserve} for a thread that
 * reserves, or it is reserved.
 *
 * <p>Physics thread only.
 */
final class BodySlots {

    /** The maximum for which an array of three floats per body is possible. */
    static final int MAX_SLOTS = 1 << 28;

    private final SlotReserve reserve;
    private int[] generations;
    private final FreeSlots free;
    private int slotCount;
    private int liveCount;

    /** Bodies from this slot on are despawned at the end of the capture. */
    private int counted = Integer.MAX_VALUE;

    /** By slot: the place of its id in the reserve, empty once a thread has taken the id; null if the slot was never in the reserve. */
    private @Nullable AtomicLong[] places = {};

    /** How many places the reserve needs, if it had too few for all free slots, otherwise 0. */
    private int placesMissed;

    /** True once it is decided whether reserved ids stay valid, or are void because the first capture counted the bodies. */
    private boolean reservationsSettled;

    /** Bodies that are not to be blended. */
    final BitSet snapping;

    /** Bodies that show their last good pose. */
    final BitSet quarantined;

    BodySlots(int preallocatedBodies, SlotReserve reserve) {
        this.reserve = reserve;
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, reserve.firstGeneration());
        free = new FreeSlots(preallocatedBodies);
        snapping = new BitSet(preallocatedBodies);
        quarantined = new BitSet(preallocatedBodies);
    }

    /** One more than the highest slot with a body. */
    int slotCount() {
        return slotCount;
    }

    /** How many bodies there are, of those that are counted. */
    int bodyCount() {
        return Math.min(liveCount, counted);
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
    boolean isCounted(int slot) {
        return isLive(slot) && slot < counted;
    }

    void requireCounted(int slot) {
        if (!isCounted(slot)) {
            throw new IndexOutOfBoundsException("there is no body " + slot + ": this tick has " + bodyCount()
                    + " bodies" + (hasGaps() ? " in slots 0 to " + (slotCount - 1) : ""));
        }
    }

    /** Whether all of these slots have bodies that stay when the capture ends. */
    boolean areCounted(int first, int count) {
        if (!hasGaps()) {
            return first >= 0 && count <= countedSlots() - first;
        }
        int slot = first;
        while (slot < first + count && isCounted(slot)) {
            slot++;
        }
        return slot == first + count;
    }

    /** One more than the highest slot with a body that stays when the capture ends. */
    int countedSlots() {
        return Math.min(slotCount, counted);
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
        return slot < generations.length ? generations[slot] : reserve.firstGeneration();
    }

    /** Sets how many bodies, from slot 0 on, stay when the capture ends; {@code Integer.MAX_VALUE} for all. */
    void keepFirst(int bodies) {
        counted = bodies;
    }

    /** Whether there are bodies beyond those that stay. */
    boolean hasUncounted() {
        return slotCount > counted;
    }

    /** Puts a body into a free slot, or else into one that was never used. */
    int spawn() {
        keepReservations();
        int slot = free.next();
        slot = slot >= 0 ? slot : findUndone();
        slot = slot >= 0 ? slot : reserve.takeNew();
        fill(slot);
        return slot;
    }

    /** The lowest slot that only undone ticks had used, if no thread has reserved it since; otherwise -1. */
    private int findUndone() {
        int slot = free.nextUndone(0);
        while (slot >= 0 && !free.contains(slot) && !takeBackWaiting(slot)) {
            slot = free.nextUndone(slot + 1);
        }
        return slot;
    }

    /** Puts a body into the slot that was reserved for it. */
    void spawnReserved(int slot) {
        keepReservations();
        fill(slot);
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
        free.makeRoom(slot); // first, because it may allocate, and an error then loses no slot
        for (int claimed = reserve.takeNewUpTo(slot); claimed <= slot; claimed++) {
            free.add(claimed);
        }
        if (takeBackWaiting(slot)) {
            free.add(slot);
        }
        return free.contains(slot);
    }

    /** Puts a body into a slot that was claimed for its id. */
    void spawnAs(long id) {
        int slot = BodyId.slot(id);
        generations[slot] = BodyId.generation(id) - 1;
        fill(slot);
    }

    /** Frees a slot that was claimed for an id as if the id's body had just been despawned. */
    void despawnAgain(long id) {
        int slot = BodyId.slot(id);
        spawnAs(id);
        despawn(slot);
        if (generations[slot] == reserve.firstGeneration()) {
            free.undo(slot);
        }
    }

    private void fill(int slot) {
        grow(slot);
        free.use(slot);
        generations[slot]++;
        slotCount = Math.max(slotCount, slot + 1);
        liveCount++;
    }

    /** Takes the body out of its slot. */
    void despawn(int slot) {
        generations[slot]++;
        free.add(slot);
        liveCount--;
        snapping.clear(slot);
        quarantined.clear(slot);
        while (slotCount > 0 && !BodyId.isLive(generations[slotCount - 1])) {
            slotCount--;
        }
    }

    /**
     * Starts to count bodies from 0. Allowed if no id was ever reserved, and in the first capture before any body was spawned: then
     * reserved ids become void, their slots are freed, and their generations skipped.
     */
    void beginCounting() {
        boolean may = reserve.beginCounting(!reservationsSettled);
        if (!reservationsSettled) {
            reservationsSettled = true;
            for (int slot = 0; slot < reserve.everUsed(); slot++) {
                if (!free.contains(slot)) {
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
            refillReserve();
        }
    }

    /**
     * Takes back ids that were given back, and refills the reserve with free slots. Called before each capture, and while time stands
     * still. Does nothing until a thread has reserved an id, so that a simulation that reserves none gets the lowest slots.
     */
    void refillReserve() {
        if (!reserve.isUsed()) {
            return;
        }
        for (Long id = reserve.nextGivenBack(); id != null; id = reserve.nextGivenBack()) {
            if (isReserved(id)) { // unless the simulation has despawned it meanwhile
                release(id);
            }
        }
        if (!reservationsSettled || reserve.isHeld()) {
            return; // the reserve must have no id that may still become void
        }
        if (placesMissed > 0) { // the queue was too small, or blocked by a poll that an error has ended
            reserve.replaceIfEmpty(placesMissed);
        }
        placesMissed = 0;
        free.endHold();
        for (int slot = free.lowest(); placesMissed == 0 && slot >= 0; slot = free.lowest()) {
            AtomicLong place = place(slot); // first, because it may allocate
            free.remove(slot); // before it is put: an error of the virtual machine must not leave it in two places
            place.setPlain(BodyId.of(slot, generations[slot] + 1));
            if (!reserve.put(place)) {
                place.setPlain(SlotReserve.TAKEN); // or the slot would still count as waiting when it has a body
                free.add(slot);
                placesMissed = reserve.size() + free.count();
            }
        }
    }

    private AtomicLong place(int slot) {
        if (slot >= places.length) {
            places = Arrays.copyOf(places, generations.length);
        }
        AtomicLong place = places[slot];
        if (place == null) {
            place = new AtomicLong();
            places[slot] = place;
        }
        return place;
    }

    /** Takes all ids back that wait in the reserve. Returns how many slots that had bodies are reserved. */
    int takeBackWaiting() {
        int reserved = 0;
        for (int slot = 0; slot < Math.min(generations.length, reserve.everUsed()); slot++) {
            if (takeBackWaiting(slot)) {
                free.hold(slot);
            } else if (!isLive(slot) && !free.contains(slot) && generations[slot] != reserve.firstGeneration()) {
                reserved++;
            }
        }
        return reserved;
    }

    /** Whether this id is reserved, and was neither spawned nor given back since. */
    boolean isReserved(long id) {
        int slot = BodyId.slot(id);
        return slot >= 0
                && slot < reserve.everUsed()
                && !isLive(slot)
                && !free.contains(slot)
                && generation(slot) + 1 == BodyId.generation(id)
                && !isWaiting(slot);
    }

    /** Whether the slot's id waits in the reserve. A thread empties the place before it gets the id. */
    private boolean isWaiting(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        return place != null && place.getPlain() != SlotReserve.TAKEN;
    }

    /** Takes a slot's id out of the reserve. False if none waits there, or another thread took it first. */
    private boolean takeBackWaiting(int slot) {
        if (!isWaiting(slot)) {
            return false;
        }
        AtomicLong place = place(slot);
        places[slot] = null; // the queue still has it, empty
        return place.getAndSet(SlotReserve.TAKEN) != SlotReserve.TAKEN;
    }

    /** Frees the slot of a reserved id. No body ever has this id: the slot's next body has another generation. */
    void release(long id) {
        freeReserved(BodyId.slot(id));
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
                && slot < reserve.everUsed()
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

    /** Frees a reserved slot whose body was never created. */
    private void freeReserved(int slot) {
        grow(slot);
        generations[slot] += 2;
        free.use(slot);
        free.add(slot);
    }

    private void grow(int slot) {
        int known = generations.length;
        if (slot >= known) {
            generations = Arrays.copyOf(generations, Math.max(16, Math.max(slot + 1, 2 * known)));
            Arrays.fill(generations, known, generations.length, reserve.firstGeneration());
        }
    }
}
