package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ids for bodies that are yet to be spawned, on any thread, lock-free. An id is in a slot that the physics thread has freed and
 * offers here, or else in one that was never used.
 *
 * <p>Any thread may call a method unless its comment says "physics thread". Guarantees, and the tests that fail when they are broken:
 *
 * <ol>
 *   <li>Each id is reserved once, and every free slot is reserved again:
 *       {@code ReservationThreadsTest.shouldGiveEveryIdOnceAndLoseNoSlot}, and for all orders of two threads {@code ReserveAgainstRefill},
 *       {@code ReserveAgainstPut} and {@code ReserveAgainstClaim} (jcstress). Exceptions are {@link PoseWriter#despawnAs}, and
 *       {@link PoseWriter#spawnAs} with an older generation.
 *   <li>No thread waits for another one. The only methods called on the queue are {@code poll}, which repeats only if another thread has
 *       polled, {@code relaxedOffer}, {@code size}, {@code isEmpty} and {@code capacity}. {@code offer} would wait for a thread within
 *       a poll.
 *   <li>An error of the virtual machine within {@link #reserve}, such as a stack overflow, loses at most one id. The place of such a poll
 *       blocks the queue until the physics thread replaces the queue: {@code ReservationStackEndTest}.
 *   <li>While the queue is empty, threads reserve slots that were never used, as long as there are some:
 *       {@code ReservationThreadsTest.shouldGiveNoMoreSlotsThanThereAreToThreadsThatRace}.
 * </ol>
 */
final class FreeIds {

    /** Content of a place whose id was taken, by any thread. No body has this id, because its generation is even. */
    private static final long TAKEN = 0;

    private static final int FIRST_CAPACITY = 64;

    /** Flag in {@link #everUsed}: an id was reserved. */
    private static final int EVER_RESERVED = 1 << 30;

    /** Flag in {@link #everUsed}: the simulation counts its bodies from 0, and no id can be reserved any more. */
    private static final int COUNTED = 1 << 29;

    private static final int SLOTS = COUNTED - 1;

    private final int maxSlots;
    private final int firstGeneration;

    /**
     * Number of slots that were ever used or reserved, and the two flags, in one word, so that no slot is reserved once bodies are counted:
     *
     * <pre>
     *   bit 30          bit 29     bits 28 to 0
     *   EVER_RESERVED   COUNTED    number of slots
     * </pre>
     *
     * Plain and opaque accesses suffice, because only atomicity matters: a thread that has an id got it by another thread's release, and
     * sees the number that includes it.
     */
    private final AtomicInteger everUsed = new AtomicInteger();

    /**
     * Places with ids in slots that were used before. Volatile: a thread that still reads the replaced queue finds it empty, because
     * the physics thread offers nothing there any more.
     */
    private volatile SpmcVarHandleArrayQueue<AtomicLong> offered = new SpmcVarHandleArrayQueue<>(FIRST_CAPACITY);

    /** Released ids on their way to the physics thread. They are rare, so each may cost an object. */
    private final ConcurrentLinkedQueue<Long> released = new ConcurrentLinkedQueue<>();

    /** Physics thread, by slot: the place of its id, {@link #TAKEN} once any thread has the id; null for a slot without a place. */
    private @Nullable AtomicLong[] places = {};

    /** Physics thread: how many places the queue needs, after it refused an id; otherwise 0. */
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
        beginReserving(); // even if no slot is left: from then on the physics thread offers free slots
        for (AtomicLong place = offered.poll(); place != null; place = offered.poll()) {
            long id = place.getAndSet(TAKEN);
            if (id != TAKEN) { // otherwise the physics thread has withdrawn it
                return id;
            }
        }
        return BodyId.of(takeNew(true), firstGeneration + 1);
    }

    /** Throws if the simulation counts its bodies, so that reserved ids are void. */
    void requireReserving() {
        requireNotCounted(everUsed.getOpaque());
    }

    private static void requireNotCounted(int use) {
        if ((use & COUNTED) != 0) {
            throw new IllegalStateException("no id can be reserved: the simulation counts its bodies from 0; let it use"
                    + " PoseWriter.spawn and despawn instead of bodyCount");
        }
    }

    private void beginReserving() {
        while (!isUsed()) {
            int use = everUsed.getOpaque();
            requireNotCounted(use);
            everUsed.weakCompareAndSetPlain(use, use | EVER_RESERVED);
        }
    }

    /**
     * Physics thread: tries to start counting bodies from 0. If it returns true, no id can be reserved any more.
     *
     * @param voiding whether ids that were reserved become void, instead of making this return false; only while none was ever offered
     */
    boolean beginCounting(boolean voiding) {
        while (true) {
            int use = everUsed.getOpaque();
            if ((use & EVER_RESERVED) != 0 && !voiding) {
                return false;
            }
            if ((use & COUNTED) != 0 || everUsed.weakCompareAndSetPlain(use, (use & SLOTS) | COUNTED)) {
                return true;
            }
        }
    }

    /** Whether an id was ever reserved, and bodies are not counted. Opaque is enough: the queue orders what follows. */
    boolean isUsed() {
        return (everUsed.getOpaque() & EVER_RESERVED) != 0;
    }

    /**
     * Takes a slot that was never used.
     *
     * @param reserves true on any thread, to reserve the slot's id; false on the physics thread, for a body without a reserved id
     */
    int takeNew(boolean reserves) {
        while (true) {
            int use = everUsed.getOpaque();
            if (reserves) {
                requireNotCounted(use); // may have begun after beginReserving()
            }
            requireSlot(use & SLOTS);
            if (everUsed.weakCompareAndSetPlain(use, use + 1)) {
                return use & SLOTS;
            }
        }
    }

    /**
     * Physics thread: takes all slots up to this one that were never used, in one step, so that no thread can reserve one of them. Takes
     * none if other threads were first.
     *
     * @return the first slot that was taken; beyond {@code last} if none was
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

    /** Number of slots that were ever used or reserved. */
    int everUsed() {
        return everUsed.getOpaque() & SLOTS;
    }

    /** Releases a reserved id whose body will not be spawned. */
    void release(long id) {
        if (isUsed()) { // otherwise nothing would ever take it out of the queue
            released.add(id);
        }
    }

    /** Physics thread: the next released id, null if there is none. */
    @Nullable
    Long nextReleased() {
        return released.poll();
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
        // Before relaxedOffer, whose release pairs with poll: else a thread could find TAKEN and lose the slot.
        place.setPlain(id);
        boolean fits = offered.relaxedOffer(place);
        if (!fits) {
            place.setPlain(TAKEN); // otherwise the slot would still count as waiting when it has a body
        }
        return fits;
    }

    /** Physics thread: whether the slot's id waits here for any thread. A thread empties the place before it has the id. */
    boolean isWaiting(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        return place != null && place.getPlain() != TAKEN;
    }

    /** Physics thread: takes the id of a slot back. False if none waits here, or another thread took it first. */
    boolean withdraw(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        if (place == null || place.getPlain() == TAKEN) {
            return false;
        }
        places[slot] = null; // the queue still has the place, empty
        return place.getAndSet(TAKEN) != TAKEN;
    }

    /** Physics thread: notes that the queue is too small for this many ids more, or blocked by a poll that an error has ended. */
    void requestRoom(int more) {
        placesNeeded = offered.size() + more;
    }

    /** Physics thread: replaces a queue that refused an id by a larger one, if no id is left in it. */
    void makeRoom() {
        if (placesNeeded > 0 && offered.isEmpty()) {
            offered = new SpmcVarHandleArrayQueue<>(Math.max(offered.capacity(), placesNeeded));
        }
        placesNeeded = 0;
    }
}
