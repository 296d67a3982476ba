package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ids of future bodies, on any thread, lock-free. An id is in a slot that the physics thread has freed and offers here, or else
 * in a never used one.
 *
 * <p>Any thread may call a method unless its comment says "physics thread". Guarantees, and the tests that fail when they are broken:
 *
 * <ol>
 *   <li>Threads reserve each id once, and every free slot again:
 *       {@code ReservationThreadsTest.shouldGiveEveryIdOnceAndLoseNoSlot}, and for all orders of two threads {@code ReserveAgainstRefill},
 *       {@code ReserveAgainstPut} and {@code ReserveAgainstClaim} (jcstress). Exceptions are {@link PoseWriter#despawnAs}, and
 *       {@link PoseWriter#spawnAs} with an older generation.
 *   <li>No thread waits for another one. This class calls only these methods of the queue: {@code poll}, which repeats only if another
 *       thread has polled, {@code relaxedOffer}, {@code size}, {@code isEmpty} and {@code capacity}. {@code offer} would wait for a thread
 *       within a poll.
 *   <li>An error of the virtual machine within {@link #reserve}, such as a stack overflow, loses at most one id. The place of such a poll
 *       blocks the queue until the physics thread replaces the queue: {@code ReservationStackEndTest}.
 *   <li>While the queue is empty, threads reserve never used slots, as long as there are some:
 *       {@code ReservationThreadsTest.shouldGiveNoMoreSlotsThanThereAreToThreadsThatRace}.
 * </ol>
 */
final class FreeIds {

    /** Content of a place whose id a thread has taken. No body has this id, because its generation is even. */
    private static final long TAKEN = 0;

    private static final int FIRST_CAPACITY = 64;

    private static final int EVER_RESERVED = 1 << 30;
    private static final int COUNTED = 1 << 29;
    private static final int SLOTS = COUNTED - 1;

    private final int maxSlots;
    private final int firstGeneration;

    /**
     * One word, because only one of the two marks may ever be set:
     *
     * <pre>
     *   bit  30      EVER_RESERVED   a thread has reserved an id, and bodies cannot be counted
     *   bit  29      COUNTED         the simulation counts its bodies from 0, and reserve() throws
     *   bits 28..0   SLOTS           number of slots ever used or reserved
     * </pre>
     *
     * Plain and opaque accesses suffice, because only atomicity matters: a thread that has an id got it by another thread's release, and
     * sees the number that includes it.
     */
    private final AtomicInteger everUsed = new AtomicInteger();

    /**
     * Places with ids in used slots. Volatile: the store in makeRoom releases the new queue to the load in reserve; else a thread could see
     * it before its array. A thread that still polls the old queue finds it empty, because the physics thread offers nothing there.
     */
    private volatile SpmcVarHandleArrayQueue<AtomicLong> offeredPlaces = new SpmcVarHandleArrayQueue<>(FIRST_CAPACITY);

    /** Released ids on their way to the physics thread. They are rare, so each may cost an object. */
    private final ConcurrentLinkedQueue<Long> releasedIds = new ConcurrentLinkedQueue<>();

    /** Physics thread, by slot: the place of its id, {@link #TAKEN} once any thread has the id; null for a slot without a place. */
    private @Nullable AtomicLong[] places = {};

    /** Physics thread: the number of places that the queue needs, after it refused an id; else 0. */
    private int placesNeeded;

    FreeIds(int maxSlots, int firstGeneration) {
        this.maxSlots = maxSlots;
        this.firstGeneration = firstGeneration;
    }

    int firstGeneration() {
        return firstGeneration;
    }

    /** Reserves an id that no body has or had. Allocates nothing. */
    long reserve() {
        beginReserving(); // even if no slot is left: the physics thread then offers free slots
        for (AtomicLong place = offeredPlaces.poll(); place != null; place = offeredPlaces.poll()) {
            long id = place.getAndSet(TAKEN); // atomic: withdraw may take the same id, and one of the two gets it
            if (id != TAKEN) {
                return id;
            }
        }
        return BodyId.of(takeNew(), firstGeneration + 1);
    }

    private void beginReserving() {
        while (!isUsed()) {
            int use = everUsed.getOpaque();
            if ((use & COUNTED) != 0) {
                throw new IllegalStateException(
                        "no id can be reserved: the simulation counts its bodies from 0; let it use"
                                + " PoseWriter.spawn and despawn instead of bodyCount");
            }
            everUsed.weakCompareAndSetPlain(use, use | EVER_RESERVED);
        }
    }

    /** Physics thread: tries to start counting bodies from 0. If it returns true, {@link #reserve()} throws from now on. */
    boolean beginCounting() {
        while (true) {
            int use = everUsed.getOpaque();
            if ((use & EVER_RESERVED) != 0) {
                return false;
            }
            if ((use & COUNTED) != 0 || everUsed.weakCompareAndSetPlain(use, use | COUNTED)) {
                return true;
            }
        }
    }

    /** Returns whether a thread has reserved an id. Opaque is enough: the queues order all that follows. */
    boolean isUsed() {
        return (everUsed.getOpaque() & EVER_RESERVED) != 0;
    }

    /** Takes a never used slot: reserves its id on any thread, or puts a body into it on the physics thread. */
    int takeNew() {
        while (true) {
            int use = everUsed.getOpaque();
            requireSlot(use & SLOTS);
            if (everUsed.weakCompareAndSetPlain(use, use + 1)) {
                return use & SLOTS;
            }
        }
    }

    /**
     * Physics thread: takes all never used slots up to this one, in one step, so that no thread can reserve one of them. Takes none if
     * other threads were first.
     *
     * @return the first taken slot; beyond {@code last} if there is none
     */
    int takeNewUpTo(int last) {
        requireSlot(last);
        while (true) {
            int use = everUsed.getOpaque();
            int first = use & SLOTS;
            if (first > last || everUsed.weakCompareAndSetPlain(use, use + last + 1 - first)) {
                return first;
            }
        }
    }

    private void requireSlot(int slot) {
        if (slot >= maxSlots) {
            throw new IllegalStateException("all " + maxSlots + " slots have a body or are reserved for one");
        }
    }

    /** The number of slots ever used or reserved. */
    int everUsed() {
        return everUsed.getOpaque() & SLOTS;
    }

    /** Releases a reserved id. */
    void release(long id) {
        if (isUsed()) { // else nothing would ever take it out of the queue
            releasedIds.add(id);
        }
    }

    /** Physics thread: the next released id, null if there is none. */
    @Nullable
    Long nextReleased() {
        return releasedIds.poll();
    }

    /**
     * Physics thread: offers the next id of a free slot to all threads.
     *
     * @return false if the queue has no room
     */
    boolean offer(long id) {
        int slot = BodyId.slot(id);
        if (slot >= places.length) {
            places = Arrays.copyOf(places, Math.max(slot + 1, 2 * places.length));
        }
        AtomicLong place = places[slot];
        if (place == null) {
            place = new AtomicLong();
            places[slot] = place;
        }
        // Plain, before relaxedOffer, whose release pairs with poll: else a thread could find TAKEN and lose the slot.
        place.setPlain(id);
        boolean fits = offeredPlaces.relaxedOffer(place);
        if (!fits) {
            place.setPlain(TAKEN); // else the slot would count as waiting when it has a body
        }
        return fits;
    }

    /** Physics thread: returns whether the slot's id waits here for any thread. A thread empties the place before it has the id. */
    boolean isWaiting(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        // Plain is enough: the simulation spawns an id that a thread handed over, which orders that thread's getAndSet.
        return place != null && place.getPlain() != TAKEN;
    }

    /** Physics thread: takes the id of a slot back. Returns false if none waits here, or another thread took it first. */
    boolean withdraw(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        if (place == null || place.getPlain() == TAKEN) { // plain: a stale value fails at the getAndSet
            return false;
        }
        places[slot] = null; // the queue keeps the empty place
        return place.getAndSet(TAKEN) != TAKEN; // atomic, as in reserve
    }

    /** Physics thread: requests room for this many ids. The queue is too small, or blocked by a poll that an error has ended. */
    void requestRoom(int ids) {
        placesNeeded = offeredPlaces.size() + ids;
    }

    /** Physics thread: replaces a queue that refused an id by a larger one, once the queue is empty. */
    void makeRoom() {
        if (placesNeeded > 0 && offeredPlaces.isEmpty()) {
            offeredPlaces = new SpmcVarHandleArrayQueue<>(Math.max(offeredPlaces.capacity(), placesNeeded));
        }
        placesNeeded = 0;
    }
}
