package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The table of all slots, with the generation of each. A slot is the index of a body in the arrays of a snapshot.
 *
 * <p>A body gets the lowest free slot, so that blocks stay full and counting from 0 leaves no gap. {@link Reservations} counts the slots
 * ever used, and lets other threads have slots for future bodies. Before the first of them, a tick enters it only to take a new slot.
 *
 * <p>Physics thread only, except {@link #hasReservations()}.
 */
final class BodySlots {

    /** The largest power of two for which a Java array can hold four floats per body, as {@link PoseWriter#setAll} takes rotations. */
    static final int MAX_SLOTS = 1 << 28;

    /** The generation of a slot that was never used. */
    final int firstGeneration;

    final Reservations reservations;

    private int[] generations;
    private int slotCount;
    private int liveCount;

    /** Slots into which this thread may put a body. */
    final BitSet freeSlots;

    /** No free slot is below this one. */
    private int lowest;

    /**
     * The end of the capture despawns the bodies from this slot on. It does not despawn them at once, because a later body count in the
     * same tick may keep them.
     */
    private int surplusFrom = Integer.MAX_VALUE;

    /** True once the simulation counts its bodies from 0. */
    private boolean isCounted;

    /** Slots whose bodies were spawned or despawned in this capture. A spawned body's pose in the tick before is not its own. */
    final BitSet changed;

    /** Slots of bodies that readers do not blend between ticks. */
    final BitSet snapping;

    /** Slots of bodies whose last good pose replaces a bad one. */
    final BitSet quarantined;

    BodySlots(int preallocatedBodies, int maxSlots, int firstGeneration) {
        this.firstGeneration = firstGeneration;
        reservations = new Reservations(this, maxSlots);
        generations = new int[preallocatedBodies];
        Arrays.fill(generations, firstGeneration);
        freeSlots = new BitSet(preallocatedBodies);
        changed = new BitSet(preallocatedBodies);
        snapping = new BitSet(preallocatedBodies);
        quarantined = new BitSet(preallocatedBodies);
    }

    /**
     * Returns whether a thread has reserved an id, and the simulation does not count its bodies. Opaque is enough, because the queues of
     * {@link Reservations} order everything that depends on the result. Here, so that a tick before the first reservation enters nothing.
     */
    boolean hasReservations() {
        return (reservations.everUsed.getOpaque() & (Reservations.EVER_RESERVED | Reservations.COUNTED))
                == Reservations.EVER_RESERVED;
    }

    /** Starts a capture. */
    void startTick() {
        changed.clear();
        if (hasReservations() || reservations.isHolding) {
            reservations.startTick();
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

    /** Stores a 1 for each body of a block, and a 0 for each gap. */
    void copyLive(int first, byte[] live) {
        int used = Math.max(0, Math.min(live.length, slotCount - first));
        Arrays.fill(live, 0, used, (byte) 1);
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

    int generation(int slot) {
        return slot < generations.length ? generations[slot] : firstGeneration;
    }

    /** The id of the next body in a slot. */
    long nextId(int slot) {
        return BodyId.of(slot, generation(slot) + 1);
    }

    /** Puts a body into the lowest free slot, or else into a never used one. */
    int spawn() {
        int slot = hasReservations() ? reservations.freeSlot() : lowestFree();
        slot = slot >= 0 ? slot : reservations.takeNew(false);
        fill(slot);
        return slot;
    }

    /** Puts a body with a chosen id into a slot that is free or reserved for it. */
    void spawnAs(long id) {
        int slot = BodyId.slot(id);
        grow(slot);
        generations[slot] = BodyId.generation(id) - 1;
        fill(slot);
    }

    private void fill(int slot) {
        grow(slot);
        freeSlots.clear(slot);
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

    /** Frees a slot without a body for a body of another generation. */
    void skipGeneration(int slot) {
        grow(slot);
        generations[slot] += 2;
        addFree(slot);
    }

    void addFree(int slot) {
        freeSlots.set(slot);
        lowest = Math.min(lowest, slot);
    }

    /** Returns the lowest free slot, -1 if none is free. */
    int lowestFree() {
        int slot = freeSlots.nextSetBit(lowest);
        lowest = slot >= 0 ? slot : Integer.MAX_VALUE;
        return slot;
    }

    /** Lets the simulation count its bodies from 0. */
    void countFromZero() {
        if (hasGaps()) { // before stop, which nothing undoes
            throw new IllegalStateException("bodies cannot be counted from 0 while there are gaps: " + liveCount
                    + " bodies are in slots 0 to " + (slotCount - 1) + "; use spawn and despawn");
        }
        if (!isCounted) {
            reservations.stop();
            isCounted = true;
        }
    }

    int require(long id, long tick) {
        int live = find(id);
        if (live < 0) {
            int slot = BodyId.slot(id);
            String why = reservations.isReserved(id) ? "it is reserved; spawn it first" : "its slot is empty";
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
