package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Gives any thread ids for bodies that are yet to be spawned, lock-free: in a slot that the physics thread has freed and put here, or else
 * in one that was never used.
 *
 * <p>Any thread, except where it says otherwise. Guarantees, and the tests that fail when they are broken:
 *
 * <ol>
 *   <li>No id is given twice, and every slot is given again: {@code ReservationThreadsTest.shouldGiveEveryIdOnceAndLoseNoSlot}, and of all
 *       orders of two threads {@code ReserveAgainstRefill} and {@code ReserveAgainstClaim} (jcstress). Exceptions are
 *       {@link PoseWriter#despawnAs}, and {@link PoseWriter#spawnAs} with an older generation.
 *   <li>Nothing waits for another thread. Of the queue only {@code poll}, which tries again only if another thread has polled,
 *       {@code relaxedOffer}, {@code size}, {@code isEmpty} and {@code capacity} are called: {@code offer} would wait for a thread that is
 *       within a poll.
 *   <li>An error of the virtual machine within a call, such as a stack overflow, loses at most that one id. The place of such a poll blocks
 *       the queue, which is replaced once it is empty: {@code ReservationStackEndTest}.
 *   <li>If the queue is empty, a slot that was never used is given, as long as there is one:
 *       {@code ReservationThreadsTest.shouldGiveNoMoreSlotsThanThereAreToThreadsThatRace}.
 * </ol>
 */
final class FreeIds {

    /** What a place holds once its id was taken, by any thread. No body has this id, because its generation is even. */
    private static final long TAKEN = 0;

    private static final int FIRST_CAPACITY = 64;

    /** Flag: an id was reserved. */
    private static final int EVER_RESERVED = 1 << 30;

    /** Flag: the simulation counts its bodies from 0, and no id can be reserved any more. */
    private static final int COUNTED = 1 << 29;

    private static final int SLOTS = COUNTED - 1;

    private final int maxSlots;
    private final int firstGeneration;

    /**
     * How many slots were ever used or reserved, and the two flags, in one word: so no slot is reserved once bodies are counted. Plain and
     * opaque accesses suffice, because only atomicity matters: a thread that has an id got it by another thread's release, and sees the
     * count that includes it.
     */
    private final AtomicInteger everUsed = new AtomicInteger();

    /**
     * Places with ids in slots that were used before. Volatile: a thread that still reads the old queue finds it empty, because nothing is
     * put there any more.
     */
    private volatile SpmcVarHandleArrayQueue<AtomicLong> used = new SpmcVarHandleArrayQueue<>(FIRST_CAPACITY);

    /** Ids that were given back, on their way to the physics thread. They are rare, so each may cost an object. */
    private final ConcurrentLinkedQueue<Long> givenBack = new ConcurrentLinkedQueue<>();

    /** Physics thread, by slot: the place of its id, empty once any thread has taken the id; null if the slot has none in the queue. */
    private @Nullable AtomicLong[] places = {};

    /** Physics thread: how many places the queue needs, if it had too few for all free slots, otherwise 0. */
    private int placesMissed;

    FreeIds(int maxSlots, int firstGeneration) {
        this.maxSlots = maxSlots;
        this.firstGeneration = firstGeneration;
    }

    int firstGeneration() {
        return firstGeneration;
    }

    /** Reserves an id that no body has or had. Lock-free, and allocates nothing. */
    long reserve() {
        if (!isUsed()) {
            beginReserving(); // even if no slot is left: from then on, freed slots are put into the queue
        }
        AtomicLong place = used.poll();
        while (place != null) {
            long id = place.getAndSet(TAKEN);
            if (id != TAKEN) {
                return id;
            }
            place = used.poll(); // the physics thread has withdrawn that id
        }
        return BodyId.of(takeNew(EVER_RESERVED), firstGeneration + 1);
    }

    /** Throws if the simulation counts its bodies, so that reserved ids are void. */
    void requireReserving() {
        requireReserving(everUsed.getOpaque());
    }

    private static void requireReserving(int use) {
        if ((use & COUNTED) != 0) {
            throw new IllegalStateException("no id can be reserved: the simulation counts its bodies from 0; let it use"
                    + " PoseWriter.spawn and despawn instead of bodyCount");
        }
    }

    private void beginReserving() {
        int use;
        do {
            use = everUsed.getOpaque();
            requireReserving(use);
        } while (!everUsed.weakCompareAndSetPlain(use, use | EVER_RESERVED));
    }

    /**
     * Physics thread: tries to start counting bodies from 0. If it returns true, no id can be reserved any more.
     *
     * @param voiding whether ids that were reserved become void, instead of making this return false; only as long as none was put into the
     *                queue
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

    /** Physics thread: takes a slot that was never used, for a body that the simulation spawns without a reserved id. */
    int takeNew() {
        return takeNew(0);
    }

    private int takeNew(int reserved) {
        while (true) {
            int use = everUsed.getOpaque();
            if (reserved != 0) {
                requireReserving(use);
            }
            requireSlot(use & SLOTS);
            if (everUsed.weakCompareAndSetPlain(use, (use | reserved) + 1)) {
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

    int everUsed() {
        return everUsed.getOpaque() & SLOTS;
    }

    void giveBack(long id) {
        if (isUsed()) { // otherwise nothing would ever take it out of the queue
            givenBack.add(id);
        }
    }

    /** Physics thread: the next id that was given back, null if there is none. */
    @Nullable
    Long nextGivenBack() {
        return givenBack.poll();
    }

    /** Physics thread: the place of a slot, which is made if there is none. */
    AtomicLong place(int slot) {
        if (slot >= places.length) {
            places = Arrays.copyOf(places, Math.max(slot + 1, 2 * places.length));
        }
        AtomicLong place = places[slot];
        if (place == null) {
            place = new AtomicLong();
            places[slot] = place;
        }
        return place;
    }

    /**
     * Physics thread: puts an id into the place of its slot, where threads can take it.
     *
     * @return false if the queue has no room
     */
    boolean put(AtomicLong place, long id) {
        place.setPlain(id);
        boolean fits = used.relaxedOffer(place);
        if (!fits) {
            place.setPlain(TAKEN); // or the slot would still count as waiting when it has a body
        }
        return fits;
    }

    /** Physics thread: whether the slot's id waits here. A thread empties the place before it gets the id. */
    boolean isWaiting(int slot) {
        AtomicLong place = slot < places.length ? places[slot] : null;
        return place != null && place.getPlain() != TAKEN;
    }

    /** Physics thread: takes a slot's id out. False if none waits here, or another thread took it first. */
    boolean withdraw(int slot) {
        if (!isWaiting(slot)) {
            return false;
        }
        AtomicLong place = place(slot);
        places[slot] = null; // the queue still has it, empty
        return place.getAndSet(TAKEN) != TAKEN;
    }

    /** Physics thread: notes that the queue was too small, or blocked by a poll that an error has ended, for so many ids more. */
    void missPlaces(int more) {
        placesMissed = used.size() + more;
    }

    /** Physics thread: replaces a queue that had too few places by a larger one, if no id is left in it. */
    void makeRoom() {
        if (placesMissed > 0 && used.isEmpty()) {
            used = new SpmcVarHandleArrayQueue<>(Math.max(used.capacity(), placesMissed));
        }
        placesMissed = 0;
    }
}
