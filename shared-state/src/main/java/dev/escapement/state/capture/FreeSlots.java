package dev.escapement.state.capture;

import java.util.BitSet;

/**
 * The free slots, in the order in which bodies get them that are spawned without a reserved id: the lowest first, so that blocks stay full
 * and counting from 0 leaves no gap.
 *
 * <p>After a restore, ticks that are repeated get the slots that they had: none that waited for threads, and after the others, in place of
 * slots that were never used, those that only undone ticks had used. These are higher than all others that the state knows.
 *
 * <p>Physics thread only. Allocates only when there are more slots than ever before.
 */
final class FreeSlots {

    private final BitSet free;

    /** No free slot is below this one. */
    private int lowest;

    /** Free slots that waited in the {@link SlotReserve}, and will again; bodies of a restored state may get them by their ids. */
    private final BitSet held = new BitSet();

    /** Slots that only undone ticks had used, whether they are free or wait in the {@link SlotReserve}. */
    private final BitSet undone = new BitSet();

    FreeSlots(int preallocatedBodies) {
        free = new BitSet(preallocatedBodies);
    }

    boolean contains(int slot) {
        return free.get(slot);
    }

    int count() {
        return free.cardinality();
    }

    /** Lets a slot be added later without an allocation. */
    void makeRoom(int slot) {
        if (!contains(slot)) {
            free.set(slot);
            free.clear(slot);
        }
    }

    void add(int slot) {
        free.set(slot);
        lowest = Math.min(lowest, slot);
    }

    void remove(int slot) {
        if (slot == lowest()) {
            lowest = slot + 1;
        }
        free.clear(slot);
    }

    /** The lowest of all, -1 if there is none. */
    int lowest() {
        return free.nextSetBit(lowest);
    }

    /** The one that the next body gets, -1 if there is none, but perhaps of those that only undone ticks had used. */
    int next() {
        int slot = lowest();
        while (slot >= 0 && held.get(slot)) {
            slot = free.nextSetBit(slot + 1);
        }
        return slot;
    }

    /** Adds a slot that waited in the reserve. */
    void hold(int slot) {
        held.set(slot);
        add(slot);
    }

    /** From now on no slot counts as one that waited. */
    void endHold() {
        held.clear();
    }

    /** Notes that only undone ticks had used a slot. */
    void undo(int slot) {
        undone.set(slot);
    }

    /** Called when a slot is used, whether it was free or not. */
    void use(int slot) {
        remove(slot);
        undone.clear(slot);
    }

    /** The first slot from one on that only undone ticks had used, -1 if there is none. */
    int nextUndone(int from) {
        return undone.nextSetBit(from);
    }
}
