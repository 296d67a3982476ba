package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Which slots hold bodies, and which come next. What the snapshots say about it is copied from here. */
final class SlotTable {

    /** More would not fit an array of three floats a body. */
    static final int MAX_SLOTS = 1 << 28;

    private final SlotReserve reserve;
    private int[] generations;

    /** Slots that had a body or were meant for one, and no free one is below {@code lowestFree}. */
    private final BitSet free;

    private int lowestFree;
    private int slotCount;
    private int liveCount;

    // Written by the physics thread alone, any thread may read it. Opaque is enough: an id is handed on by release
    // after this was written, so that who knows the id reads nothing older.
    private final AtomicInteger highestGeneration;

    /** Bodies that are not to be blended. */
    final BitSet snapping;

    /** Bodies that show their last good pose. */
    final BitSet quarantined;

    SlotTable(int preallocatedBodies, SlotReserve reserve) {
        this.reserve = reserve;
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, reserve.firstGeneration());
        // Of an id in a new slot, which anybody may reserve without the physics thread.
        highestGeneration = new AtomicInteger(reserve.firstGeneration() + 1);
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

    boolean isLive(int slot) {
        return slot >= 0 && slot < slotCount && BodyId.isLive(generations[slot]);
    }

    /** Of any slot, used or not. */
    int generation(int slot) {
        return slot < generations.length ? generations[slot] : reserve.firstGeneration();
    }

    /** Any thread: the highest of all ids that were handed out. */
    int highestGeneration() {
        return highestGeneration.getOpaque();
    }

    boolean isFree(int slot) {
        return free.get(slot);
    }

    boolean hasFree() {
        return free.nextSetBit(lowestFree) >= 0;
    }

    int freeCount() {
        return free.cardinality();
    }

    /** Puts a body into the lowest slot that is free, so that blocks stay full and counting from 0 leaves no gap. */
    int take() {
        int slot = hasFree() ? takeFree() : reserve.takeNew();
        spawn(slot);
        return slot;
    }

    /** Takes the lowest of the free slots, of which there is one, for a body to come. */
    int takeFree() {
        int slot = free.nextSetBit(lowestFree);
        free.clear(slot);
        lowestFree = slot + 1;
        return slot;
    }

    /** The generation of the next body of a slot, which its id is about to be made of. */
    int nextGeneration(int slot) {
        int next = generations[slot] + 1;
        if (next - highestGeneration.getPlain() > 0) { // by difference: generations wrap
            highestGeneration.setOpaque(next);
        }
        return next;
    }

    /** Puts a body into a slot that was taken or reserved. */
    void spawn(int slot) {
        grow(slot);
        generations[slot] = nextGeneration(slot);
        slotCount = Math.max(slotCount, slot + 1);
        liveCount++;
    }

    /** Frees a slot that was reserved, without the body that it was meant for ever having been. */
    void skip(int slot) {
        grow(slot);
        generations[slot] += 2;
        free(slot);
    }

    void release(int slot) {
        generations[slot]++;
        free(slot);
        liveCount--;
        snapping.clear(slot);
        quarantined.clear(slot);
        while (slotCount > 0 && !BodyId.isLive(generations[slotCount - 1])) {
            slotCount--;
        }
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
