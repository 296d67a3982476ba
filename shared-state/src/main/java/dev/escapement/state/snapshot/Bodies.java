package dev.escapement.state.snapshot;

import java.util.NoSuchElementException;

/**
 * The bodies of a snapshot, with all attributes except their poses.
 *
 * <pre>{@code
 * for (int slot = 0; slot < bodies.slotCount(); slot++) {
 *     if (bodies.exists(slot)) {
 *         draw(bodies.userData(slot), poses.blockOf(slot), slot & PoseBlock.MASK);
 *     }
 * }
 * }</pre>
 *
 * <p>Not thread-safe: see {@link Snapshot}.
 */
public final class Bodies {

    private final Snapshot snapshot;

    Bodies(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** {@return the number of slots: one more than the highest slot that holds a body} */
    public int slotCount() {
        return snapshot.poses().slotCount();
    }

    /** {@return the number of bodies} */
    public int count() {
        int count = 0;
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            count += snapshot.bodyBlock(b).liveCount();
        }
        return count;
    }

    /**
     * {@return whether a slot holds a body}
     *
     * @param slot any number
     */
    public boolean exists(int slot) {
        return slot >= 0 && slot < slotCount() && BodyId.isLive(block(slot).generation[slot & PoseBlock.MASK]);
    }

    /**
     * {@return whether a body exists in this snapshot}
     *
     * @param id the id of a body, perhaps of one that was despawned or is not yet spawned
     */
    public boolean exists(long id) {
        int slot = BodyId.slot(id);
        return exists(slot) && block(slot).generation[slot & PoseBlock.MASK] == BodyId.generation(id);
    }

    /**
     * {@return the slot of a body: the index of its pose, its user data and its channels in this snapshot}
     *
     * @param id the id of a body
     * @throws NoSuchElementException if the body does not exist in this snapshot
     */
    public int slotOf(long id) {
        if (!exists(id)) {
            throw new NoSuchElementException("there is no body " + BodyId.toString(id) + " at tick " + snapshot.tick()
                    + ": it is gone, or yet to come; ask contains(id) or exists(id) first");
        }
        return BodyId.slot(id);
    }

    /**
     * {@return the id of the body in a slot}
     *
     * @param slot a slot with a body
     * @throws IndexOutOfBoundsException if there is none
     */
    public long id(int slot) {
        return BodyId.of(slot, requireBody(slot).generation[slot & PoseBlock.MASK]);
    }

    /**
     * {@return the number that the application passed when it spawned the body in a slot}
     *
     * @param slot a slot with a body
     * @throws IndexOutOfBoundsException if there is none
     */
    public long userData(int slot) {
        return requireBody(slot).userData[slot & PoseBlock.MASK];
    }

    /**
     * {@return the number of teleports of the body in a slot since its spawn} Restart trails and similar effects when it changes.
     *
     * @param slot a slot with a body
     * @throws IndexOutOfBoundsException if there is none
     */
    public int teleports(int slot) {
        return requireBody(slot).teleports[slot & PoseBlock.MASK];
    }

    /**
     * {@return whether the body in a slot keeps its last good pose} It does so while the simulation's pose is not finite or its rotation is
     * no unit quaternion.
     *
     * @param slot a slot with a body
     * @throws IndexOutOfBoundsException if there is none
     */
    public boolean isQuarantined(int slot) {
        return requireBody(slot).quarantined[slot & PoseBlock.MASK];
    }

    private BodyBlock requireBody(int slot) {
        if (!exists(slot)) {
            throw new IndexOutOfBoundsException("there is no body in slot " + slot + " at tick " + snapshot.tick()
                    + (count() == 0
                            ? ", which has no bodies: the capture of that tick has spawned none"
                            : ", which has " + count() + " bodies in slots 0 to " + (slotCount() - 1)));
        }
        return block(slot);
    }

    private BodyBlock block(int slot) {
        return snapshot.bodyBlock(slot >>> PoseBlock.SHIFT);
    }
}
