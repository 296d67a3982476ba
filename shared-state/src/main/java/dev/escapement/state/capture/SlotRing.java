package dev.escapement.state.capture;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Ids for bodies to come in slots that are used again: put here by the physics thread, taken by any thread. Bounded.
 *
 * <p>Putting is wait-free and taking is lock-free: a thread that has to try again was overtaken by one that took an id. Neither counter
 * is padded, for both are written a few times a tick.
 */
final class SlotRing {

    /** What an empty ring has to give: no body's id, for its generation is even. */
    static final long NONE = 0;

    private final AtomicLongArray ids;
    private final int mask;

    /** How many were ever put. Written by the physics thread alone. */
    private final AtomicLong put = new AtomicLong();

    /** How many were ever taken. Written by the threads that take. */
    private final AtomicLong taken = new AtomicLong();

    /** A ring with as many places, a power of two. */
    SlotRing(int capacity) {
        ids = new AtomicLongArray(capacity);
        mask = capacity - 1;
    }

    int capacity() {
        return ids.length();
    }

    /**
     * Any thread. An id that is read just before others take it and the physics thread puts another in its place is no harm:
     * {@code taken} has moved on then, and this tries again.
     *
     * @return an id, or NONE
     */
    long take() {
        while (true) {
            // Acquire: pairs with the release of the thread that took last, which had seen what was put before. So what
            // is read
            // next is never behind the position.
            long position = taken.getAcquire();
            // Acquire: pairs with the release in put(); the id is there.
            if (position == put.getAcquire()) {
                return NONE;
            }
            long id = ids.getOpaque((int) position & mask); // opaque: not in two halves
            // Release: the id was read before. Pairs with the acquire in taken(), after which the place is written.
            if (taken.weakCompareAndSetRelease(position, position + 1)) {
                return id;
            }
        }
    }

    /** Physics thread, if there is room. */
    void put(long id) {
        long position = put.getPlain(); // its own
        ids.setOpaque((int) position & mask, id);
        // Release: pairs with the acquire in take().
        put.setRelease(position + 1);
    }

    /** Physics thread: whether an id has a place, where so many were {@link #taken()} and are not asked for any more. */
    boolean hasRoom(long settled) {
        return put.getPlain() - settled < ids.length();
    }

    /** Physics thread: whether so many are all that were put. */
    boolean isEmpty(long settled) {
        return put.getPlain() == settled;
    }

    /** Physics thread: how many were taken so far. Acquire: pairs with the release in take(); their places may be written. */
    long taken() {
        return taken.getAcquire();
    }

    /** Physics thread: what it has put at a position, until it puts another into the same place. */
    long at(long position) {
        return ids.getPlain((int) position & mask);
    }
}
