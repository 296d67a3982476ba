package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;

/** Which slots hold bodies, and which come next. What the snapshots say about it is copied from here. */
final class SlotTable {

    /** More would not fit an array of three floats a body. */
    static final int MAX_SLOTS = 1 << 28;

    private int[] generations;
    private int everUsed;

    /** Slots that had a body, and no free one is below {@code lowestFree}. */
    private final BitSet free;

    private int lowestFree;
    private int slotCount;
    private int liveCount;

    /** Bodies that are not to be blended. */
    final BitSet snapping;

    /** Bodies that show their last good pose. */
    final BitSet quarantined;

    SlotTable(int preallocatedBodies) {
        generations = new int[preallocatedBodies];
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

    int generation(int slot) {
        return generations[slot];
    }

    /** Takes the lowest slot that is free, so that blocks stay full and counting from 0 leaves no gap. */
    int take() {
        int slot = free.nextSetBit(lowestFree);
        if (slot < 0) {
            slot = takeNew();
        } else {
            free.clear(slot);
        }
        lowestFree = slot + 1;
        generations[slot]++;
        slotCount = Math.max(slotCount, slot + 1);
        liveCount++;
        return slot;
    }

    private int takeNew() {
        if (everUsed == MAX_SLOTS) {
            throw new IllegalStateException("all " + MAX_SLOTS + " slots have a body");
        }
        if (everUsed == generations.length) {
            generations = Arrays.copyOf(generations, Math.max(16, 2 * everUsed));
        }
        return everUsed++;
    }

    void release(int slot) {
        generations[slot]++;
        free.set(slot);
        lowestFree = Math.min(lowestFree, slot);
        liveCount--;
        snapping.clear(slot);
        quarantined.clear(slot);
        while (slotCount > 0 && !BodyId.isLive(generations[slotCount - 1])) {
            slotCount--;
        }
    }
}
