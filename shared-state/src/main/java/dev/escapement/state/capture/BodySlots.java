package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which slots hold bodies, which are free, and which are reserved for bodies to come. What the snapshots say about it is copied from here.
 *
 * <p>A slot that was ever used is in one of four states: it has a body, it is free, it waits in the {@link SlotReserve} for a thread that
 * reserves, or it is reserved.
 *
 * <p>Physics thread only, except {@link #highestGeneration()}.
 */
final class BodySlots {

    /** More would not fit an array of three floats a body. */
    static final int MAX_SLOTS = 1 << 28;

    private final SlotReserve reserve;
    private int[] generations;
    private final BitSet free;

    /** No free slot is below this one. */
    private int lowestFree;

    private int slotCount;
    private int liveCount;

    /** Bodies from this slot on are despawned at the end of the capture. */
    private int counted = Integer.MAX_VALUE;

    // Written by the physics thread alone, any thread may read it. Opaque is enough: an id is handed on by release
    // after this was written, so that a thread that knows the id reads nothing older.
    private final AtomicInteger highestGeneration;

    /** Slots whose ids were put into the reserve and not found to be taken yet. */
    private final BitSet waiting = new BitSet();

    /** How many of the ring's ids were found to be taken. */
    private long settled;

    /** Whether it is known that the simulation counts its bodies, or that it did not in its first capture. */
    private boolean decided;

    /** Bodies that are not to be blended. */
    final BitSet snapping;

    /** Bodies that show their last good pose. */
    final BitSet quarantined;

    BodySlots(int preallocatedBodies, SlotReserve reserve) {
        this.reserve = reserve;
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, reserve.firstGeneration());
        // Of an id in a new slot, which any thread may reserve without the physics thread.
        highestGeneration = new AtomicInteger(reserve.firstGeneration() + 1);
        free = new BitSet(preallocatedBodies);
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

    /** Whether a slot below it is empty. */
    boolean hasGaps() {
        return liveCount != slotCount;
    }

    boolean isLive(int slot) {
        return slot >= 0 && slot < slotCount && BodyId.isLive(generations[slot]);
    }

    /** Whether a slot has a body that stays when the capture ends. */
    boolean isCounted(int slot) {
        return isLive(slot) && slot < counted;
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

    /** Of any slot, used or not. */
    int generation(int slot) {
        return slot < generations.length ? generations[slot] : reserve.firstGeneration();
    }

    /** Any thread: the highest of all ids that were handed out. */
    int highestGeneration() {
        return highestGeneration.getOpaque();
    }

    /** Only the first bodies stay when the capture ends; all of them if {@code Integer.MAX_VALUE}. */
    void keepFirst(int bodies) {
        counted = bodies;
    }

    /** Whether there are bodies beyond those that stay. */
    boolean hasUncounted() {
        return slotCount > counted;
    }

    /** Puts a body into the lowest slot that is free, so that blocks stay full and counting from 0 leaves no gap. */
    int spawn() {
        decide();
        int slot = hasFree() ? takeFree() : reserve.takeNew();
        fill(slot);
        return slot;
    }

    /** Puts a body into the slot that was reserved for it. */
    void spawnReserved(int slot) {
        decide();
        fill(slot);
    }

    private void fill(int slot) {
        grow(slot);
        generations[slot] = nextGeneration(slot);
        slotCount = Math.max(slotCount, slot + 1);
        liveCount++;
    }

    /** Takes the body out of its slot. */
    void despawn(int slot) {
        generations[slot]++;
        free(slot);
        liveCount--;
        snapping.clear(slot);
        quarantined.clear(slot);
        while (slotCount > 0 && !BodyId.isLive(generations[slotCount - 1])) {
            slotCount--;
        }
    }

    /**
     * Whether bodies may be counted from 0. In the first capture they may, unless one was spawned before: ids that were
     * reserved until then are void, their slots are free, and their generations are skipped.
     */
    boolean mayCount() {
        boolean may = reserve.count(!decided);
        if (!decided) {
            decided = true;
            for (int slot = 0; slot < reserve.everUsed(); slot++) {
                if (!free.get(slot)) {
                    freeReserved(slot);
                }
            }
        }
        return may;
    }

    /** Bodies are spawned one by one, or could have been: what is reserved stays so. */
    void decide() {
        if (!decided) {
            decided = true;
            exchange();
        }
    }

    /**
     * Takes back ids that will not be used and fills the reserve up with free slots. Before each capture, or as often as there may be
     * something; does nothing until a thread has reserved, so that a simulation alone gets the lowest slots.
     */
    void exchange() {
        if (!reserve.isUsed()) {
            return;
        }
        for (Long id = reserve.nextGivenBack(); id != null; id = reserve.nextGivenBack()) {
            if (isReserved(id)) { // not if the simulation gave it up meanwhile
                giveUp(id);
            }
        }
        if (!decided) {
            return; // a thread with an id from the ring could not be told that it is void
        }
        settle();
        SlotRing ring = reserve.ring();
        if (ring.isEmpty(settled) && free.cardinality() > ring.capacity()) {
            ring = reserve.enlarge(); // else more and more new slots would be taken while free ones wait here
            settled = 0;
        }
        while (ring.hasRoom(settled) && hasFree()) {
            int slot = takeFree();
            waiting.set(slot);
            ring.put(BodyId.of(slot, nextGeneration(slot)));
        }
    }

    /** Whether a thread has reserved this id, and it was neither spawned nor given up since. */
    boolean isReserved(long id) {
        int slot = BodyId.slot(id);
        if (slot < 0
                || slot >= reserve.everUsed()
                || isLive(slot)
                || free.get(slot)
                || generation(slot) + 1 != BodyId.generation(id)) {
            return false;
        }
        if (waiting.get(slot)) {
            settle();
        }
        return !waiting.get(slot);
    }

    /** No body will have this reserved id: the next one of its slot has another generation. */
    void giveUp(long id) {
        freeReserved(BodyId.slot(id));
    }

    /** Why an id is not reserved, in words. */
    String whyNotReserved(long id) {
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

    /** Why there is no body of an id, in words. */
    String whyNoBody(long id) {
        int slot = BodyId.slot(id);
        if (isLive(slot)) {
            return "its slot has generation " + generations[slot] + " now";
        }
        return isReserved(id) ? "it is reserved; spawn it first" : "its slot is empty";
    }

    /** What was taken from the ring is reserved from now on. */
    private void settle() {
        SlotRing ring = reserve.ring();
        for (long taken = ring.taken(); settled < taken; settled++) {
            waiting.clear(BodyId.slot(ring.at(settled)));
        }
    }

    private boolean hasFree() {
        return free.nextSetBit(lowestFree) >= 0;
    }

    /** Takes the lowest of the free slots, of which there is one. */
    private int takeFree() {
        int slot = free.nextSetBit(lowestFree);
        free.clear(slot);
        lowestFree = slot + 1;
        return slot;
    }

    /** The generation of the next body of a slot, which its id is about to be made of. */
    private int nextGeneration(int slot) {
        int next = generations[slot] + 1;
        if (next - highestGeneration.getPlain() > 0) { // by difference: generations wrap
            highestGeneration.setOpaque(next);
        }
        return next;
    }

    /** Frees a reserved slot whose body was never created. */
    private void freeReserved(int slot) {
        grow(slot);
        generations[slot] += 2;
        free(slot);
    }

    private void free(int slot) {
        free.set(slot);
        lowestFree = Math.min(lowestFree, slot);
    }

    private void grow(int slot) {
        int known = generations.length;
        if (slot >= known) {
            generations = Arrays.copyOf(generations, Math.max(16, Math.max(slot + 1, 2 * known)));
            Arrays.fill(generations, known, generations.length, reserve.firstGeneration());
        }
    }
}
