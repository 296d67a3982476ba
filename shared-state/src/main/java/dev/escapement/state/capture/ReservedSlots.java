package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.BitSet;

/**
 * Which slots are reserved for bodies to come, as the physics thread knows it: those that were ever used, have no body, and are
 * neither free nor still waiting in the reserve.
 *
 * <p>Physics thread only.
 */
final class ReservedSlots {

    private final SlotTable slots;
    private final SlotReserve reserve;

    /** Slots whose ids were put into the reserve and not found to be taken yet. */
    private final BitSet waiting = new BitSet();

    /** How many of the ring's ids were found to be taken. */
    private long settled;

    /** Whether it is known that the simulation counts its bodies, or that it did not in its first capture. */
    private boolean decided;

    ReservedSlots(SlotTable slots, SlotReserve reserve) {
        this.slots = slots;
        this.reserve = reserve;
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
                if (!slots.isFree(slot)) {
                    slots.skip(slot);
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
     * Takes back what will not be used and fills the reserve up with free slots. Before each capture, or as often as there may be
     * something; does nothing until somebody has reserved, so that a simulation alone gets the lowest slots.
     */
    void exchange() {
        if (!reserve.isUsed()) {
            return;
        }
        for (Long id = reserve.nextGivenBack(); id != null; id = reserve.nextGivenBack()) {
            if (contains(id)) { // not if the simulation gave it up meanwhile
                giveUp(id);
            }
        }
        if (!decided) {
            return; // who had an id from the ring could not be told that it is void
        }
        settle();
        SlotRing ring = reserve.ring();
        if (ring.isEmpty(settled) && slots.freeCount() > ring.capacity()) {
            ring = reserve.enlarge(); // else more and more new slots would be taken while free ones wait here
            settled = 0;
        }
        while (ring.hasRoom(settled) && slots.hasFree()) {
            int slot = slots.takeFree();
            waiting.set(slot);
            ring.put(BodyId.of(slot, slots.nextGeneration(slot)));
        }
    }

    /** Whether somebody has reserved this id, and it was neither spawned nor given up since. */
    boolean contains(long id) {
        int slot = BodyId.slot(id);
        if (slot < 0
                || slot >= reserve.everUsed()
                || slots.isLive(slot)
                || slots.isFree(slot)
                || slots.generation(slot) + 1 != BodyId.generation(id)) {
            return false;
        }
        if (waiting.get(slot)) {
            settle();
        }
        return !waiting.get(slot);
    }

    /** Why an id is not reserved, in words. */
    String whyNot(long id) {
        int slot = BodyId.slot(id);
        if (slots.isLive(slot) && slots.generation(slot) == BodyId.generation(id)) {
            return "it lives already";
        }
        boolean earlier = slot >= 0
                && slot < reserve.everUsed()
                && BodyId.isLive(BodyId.generation(id))
                && slots.generation(slot) - BodyId.generation(id) > 0;
        return earlier
                ? "it is gone or was given back, and its slot has generation " + slots.generation(slot) + " now"
                : "it was never reserved";
    }

    /** No body will have this id: the next one of its slot has another generation. */
    void giveUp(long id) {
        slots.skip(BodyId.slot(id));
    }

    /** What was taken from the ring is reserved from now on. */
    private void settle() {
        SlotRing ring = reserve.ring();
        for (long taken = ring.taken(); settled < taken; settled++) {
            waiting.clear(BodyId.slot(ring.at(settled)));
        }
    }
}
