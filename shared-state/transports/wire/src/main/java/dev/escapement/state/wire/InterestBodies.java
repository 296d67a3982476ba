package dev.escapement.state.wire;

import dev.escapement.state.snapshot.BodyId;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A set of bodies that the game keeps. Each has an importance of 1. A body that is gone is ignored, and need not be removed.
 *
 * <pre>{@code
 * InterestBodies party = new InterestBodies();
 * party.add(friend);
 * party.remove(friend);
 * }</pre>
 *
 * <p>Any thread. A body costs the same to look up in a set of one and of a million; the set takes 4 bytes for each slot up to the highest one
 * that was added.
 *
 * @see Interest
 */
public final class InterestBodies implements Interest {

    private static final int MOST_SLOTS = 1 << 24;

    /**
     * Per slot: the generation of the body that is needed; 0 if none is. A slot has one body at a time, so this is all that there is to know.
     * Volatile: replaced by a larger one.
     */
    private volatile AtomicIntegerArray generations = new AtomicIntegerArray(0);

    /** Creates a set of no bodies. */
    public InterestBodies() {
        // It fills later.
    }

    /**
     * Adds a body. One that had its slot before is gone, and with it from the set.
     *
     * @param body its id
     * @throws IllegalArgumentException if no body has such an id: its generation is even, or its slot beyond 16,777,215
     */
    public synchronized void add(long body) {
        int slot = BodyId.slot(body);
        if (slot < 0 || slot >= MOST_SLOTS || !BodyId.isLive(BodyId.generation(body))) {
            throw new IllegalArgumentException("no body has the id " + BodyId.toString(body) + ": slots are 0 to "
                    + (MOST_SLOTS - 1) + ", and generations of bodies are odd");
        }
        AtomicIntegerArray has = generations;
        if (slot >= has.length()) {
            AtomicIntegerArray larger =
                    new AtomicIntegerArray(Math.min(MOST_SLOTS, Math.max(slot + 1, 2 * has.length())));
            for (int i = 0; i < has.length(); i++) {
                larger.set(i, has.get(i));
            }
            has = larger;
            generations = larger;
        }
        has.set(slot, BodyId.generation(body));
    }

    /**
     * Removes a body, if it is in the set.
     *
     * @param body its id
     */
    public synchronized void remove(long body) {
        int slot = BodyId.slot(body);
        if (slot >= 0 && slot < generations.length()) {
            generations.compareAndSet(slot, BodyId.generation(body), 0);
        }
    }

    @Override
    public double importance(long body, long userData, double x, double y, double z) {
        AtomicIntegerArray has = generations;
        int slot = BodyId.slot(body);
        return slot < has.length() && has.get(slot) == BodyId.generation(body) ? 1 : 0;
    }
}
