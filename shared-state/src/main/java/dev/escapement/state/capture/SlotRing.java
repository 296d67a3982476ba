package dev.escapement.state.capture;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A bounded ring of ids that can be reserved, in slots that were used before: the physics thread puts them, and any thread takes them.
 *
 * <p>Putting is wait-free, and taking is lock-free: a thread tries again only if another one has taken an id. The counters are not padded,
 * because both are written only a few times a tick.
 */
final class SlotRing {

    /** Returned by an empty ring. No body has this id, because its generation is even. */
    static final long NONE = 0;

    private final AtomicLongArray ids;
    private final int mask;

    /** How many were ever put. Written by the physics thread alone. */
    private final AtomicLong put = new AtomicLong();

    /** How many were ever taken. Written by the threads that take. */
    private final AtomicLong taken = new AtomicLong();

    /** Creates a ring with {@code capacity} places, a power of two. */
    SlotRing(int capacity) {
        ids = new AtomicLongArray(capacity);
        mask = capacity - 1;
    }

    int capacity() {
        return ids.length();
    }

    /**
     * Takes an id. Any thread. If others take the id just after it was read, and the physics thread puts another in its place,
     * {@code taken} has moved on, and this tries again.
     *
     * @return an id, or NONE
     */
    long take() {
        while (true) {
            // Acquire: pairs with the release of the thread that took last, which had read a value of put beyond its
            // position. So the value of put that is read next is never behind the position.
            long position = taken.getAcquire();
            // Acquire: pairs with the release in put(), after which the id is in its place.
            if (position == put.getAcquire()) {
                return NONE;
            }
            long id = ids.getOpaque((int) position & mask); // opaque: no word tearing
            // Release: the id was read before this. Pairs with the acquire in taken(), after which the place may be
            // written.
            if (taken.weakCompareAndSetRelease(position, position + 1)) {
                return id;
            }
        }
    }

    /** Physics thread: puts an id. There must be room. */
    void put(long id) {
        long position = put.getPlain(); // its own
        ids.setOpaque((int) position & mask, id);
        // Release: pairs with the acquire in take().
        put.setRelease(position + 1);
    }

    /** Physics thread: whether there is room for an id, when the places of the first {@code settled} ids may be written again. */
    boolean hasRoom(long settled) {
        return put.getPlain() - settled < ids.length();
    }

    /** Physics thread: whether all ids that were put are among the first {@code settled}. */
    boolean isEmpty(long settled) {
        return put.getPlain() == settled;
    }

    /** Physics thread: how many ids were taken so far. Acquire: pairs with the release in take(), so their places may be written again. */
    long taken() {
        return taken.getAcquire();
    }

    /** Physics thread: the id that it has put at a position, until it puts another one into the same place. */
    long at(long position) {
        return ids.getPlain((int) position & mask);
    }
}
