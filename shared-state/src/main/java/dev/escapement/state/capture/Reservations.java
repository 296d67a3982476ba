package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ids of future bodies. Any thread reserves, lock-free; the physics thread offers free slots.
 *
 * <p>A cell is an atomic number: the next id of one slot. Each slot is in one of five states:
 *
 * <pre>
 *   state        meaning                                          stored in
 *   never used   no body had it, no thread reserved it            from the count in "everUsed" on
 *   live         it holds a body                                  its generation is odd
 *   free         the physics thread may put a body into it        bit set "freeSlots" of BodySlots
 *   waiting      any thread may reserve its next id               its cell has the id; "offeredCells" has the cell
 *   reserved     a thread has its next id                         none of these
 * </pre>
 *
 * <p><b>Reserving.</b> Guarantees, and the tests that fail when they are broken:
 *
 * <ol>
 *   <li>No two calls reserve the same id, and no freed slot is lost: {@code ReserveAgainstRefill}, {@code ReserveAgainstPut} and
 *       {@code ReserveAgainstClaim} (jcstress), in all orders of two threads. Exceptions: {@link PoseWriter#despawnAs}, and
 *       {@link PoseWriter#spawnAs} with an older generation, make ids available again that were used before.
 *   <li>No thread waits for another one. This class calls only these methods of the queue: {@code poll}, which repeats only if another
 *       thread has polled, {@code relaxedOffer}, {@code size}, {@code isEmpty} and {@code capacity}. {@code offer} would wait for a thread
 *       within a poll.
 *   <li>An error of the virtual machine within {@link #reserve}, such as a stack overflow, loses at most one id. If the error ends a poll,
 *       the queue may refuse offers until the physics thread replaces it:
 *       {@code ReservationTest.shouldLoseAtMostOneSlotToAFailedReservation}.
 *   <li>While the queue is empty, threads reserve never used slots, as long as there are some:
 *       {@code ReservationTest.shouldRefuseTheOneIdTooMany}.
 * </ol>
 *
 * <p><b>Seeking.</b> A re-simulated tick must give its new bodies the slots that they got when it first ran. Two marks on free and waiting
 * slots achieve this. The held slots were waiting when the run went back: only bodies that the restored state names by their ids
 * get them. The undone slots were used only by ticks that the run went back before. They count as never used: a new body gets the
 * lowest of them if no other slot is free.
 *
 * <p>Physics thread only, except {@link #reserve()}, {@link #release}, {@link #requireUncounted()} and {@code everUsed()}.
 */
public final class Reservations {

    /** Value of a slot's cell after a thread has taken the id from it. No body has the id 0, because its generation is even. */
    private static final long TAKEN = 0;

    private static final int FIRST_CAPACITY = 64;

    static final int EVER_RESERVED = 1 << 30;
    static final int COUNTED = 1 << 29;
    private static final int SLOTS = COUNTED - 1;

    private final BodySlots slots;
    private final int maxSlots;

    /**
     * One integer for a count and two marks, because no id may be reserved once COUNTED is set:
     *
     * <pre>
     *   bit  30      EVER_RESERVED   a thread has reserved an id
     *   bit  29      COUNTED         the simulation counts its bodies from 0, reserve() throws, and no body gets an id from before
     *   bits 28..0   SLOTS           number of slots ever used or reserved
     * </pre>
     *
     * Plain and opaque accesses suffice, because only atomicity matters. If a thread hands a reserved id to another thread by a release,
     * the other thread also sees the count that includes the id's slot.
     */
    final AtomicInteger everUsed = new AtomicInteger();

    /**
     * The cells of all waiting slots, and of some that were withdrawn. Volatile: the store in freeReleased releases the new queue to the
     * load in reserve; else a thread could see the queue before its array. A thread that still polls the old queue finds it empty, because
     * the physics thread offers nothing there.
     */
    private volatile SpmcVarHandleArrayQueue<AtomicLong> offeredCells = new SpmcVarHandleArrayQueue<>(FIRST_CAPACITY);

    /** Ids that threads have released, until the physics thread frees their slots. Releases are rare, so each may allocate a node. */
    private final ConcurrentLinkedQueue<Long> releasedIds = new ConcurrentLinkedQueue<>();

    // Only the physics thread accesses the fields below.

    /** Per slot: the cell with its next id, or with {@link #TAKEN} if no thread can take an id from it; null if it has no cell. */
    private @Nullable AtomicLong[] cells = {};

    /** The least capacity of the next {@link #offeredCells}, if the current queue refused a slot; else 0. */
    private int cellsNeeded;

    /** True while free slots are kept for the bodies of a restored state. Then {@link #freeReleased} offers none to threads. */
    boolean isHolding;

    /**
     * Free slots whose ids any thread could reserve until {@link #hold} took them back. New bodies get none of them, unless it is undone,
     * too, so that bodies with ids from a restored state find them free. After the next capture, they are offered again.
     */
    private final BitSet heldSlots = new BitSet();

    /**
     * Slots whose earlier bodies all spawned in ticks that a seek has undone, if they still have the first generation. New bodies get them
     * last, like unused slots.
     */
    private final BitSet undoneSlots = new BitSet();

    Reservations(BodySlots slots, int maxSlots) {
        this.slots = slots;
        this.maxSlots = maxSlots;
    }

    /**
     * Reserves the id of a future body, for {@link PoseWriter#spawn(long, long)}. Any thread; lock-free, and allocates nothing.
     *
     * <p>If the first capture shows that the simulation counts its bodies, it takes back the ids that were reserved before.
     *
     * @return an id that no other call gets, and that no body has or had, unless {@link PoseWriter#despawnAs} has undone that body
     * @throws IllegalStateException if the simulation has counted its bodies, or if there are too many
     */
    public long reserve() {
        markReserved(); // even if takeNew then throws: only this makes the physics thread offer free slots
        for (AtomicLong cell = offeredCells.poll(); cell != null; cell = offeredCells.poll()) {
            long id = cell.getAndSet(TAKEN); // atomic: of this and a concurrent withdraw, only one gets the id
            if (id != TAKEN) {
                return id;
            }
        }
        return BodyId.of(takeNew(true), slots.firstGeneration + 1);
    }

    private void markReserved() {
        while (!slots.hasReservations()) {
            int use = everUsed.getOpaque();
            requireUncounted(use);
            everUsed.weakCompareAndSetPlain(use, use | EVER_RESERVED);
        }
    }

    private static void requireUncounted(int use) {
        if ((use & COUNTED) != 0) {
            throw new IllegalStateException("no id can be reserved: the simulation counts its bodies from 0; let it use"
                    + " PoseWriter.spawn and despawn instead of bodyCount");
        }
    }

    /**
     * Throws if the simulation counts its bodies: then no body has a reserved id. Any thread; meaningful after the first capture.
     *
     * @throws IllegalStateException if the simulation has counted its bodies
     */
    public void requireUncounted() {
        requireUncounted(everUsed.getOpaque());
    }

    /** Takes a never used slot. With {@code reserves}, throws if the simulation counts its bodies. */
    int takeNew(boolean reserves) {
        while (true) {
            int use = everUsed.getOpaque();
            if (reserves) {
                requireUncounted(use);
            }
            requireSlot(use & SLOTS);
            if (everUsed.weakCompareAndSetPlain(use, use + 1)) {
                return use & SLOTS;
            }
        }
    }

    /**
     * Takes all never used slots up to {@code last}, and {@code last} itself, in one step, so that no thread can reserve one of them. Takes
     * none if other threads took all of them before.
     *
     * @return the first taken slot; beyond {@code last} if none was taken
     */
    private int takeNewUpTo(int last) {
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

    /**
     * Releases a reserved id. No body ever has the id; the next capture or {@link #freeReleased()} frees its slot for another body. Any
     * thread.
     *
     * @param id the result of {@link #reserve()}; ignored after its spawn or release
     */
    public void release(long id) {
        if (slots.hasReservations()) { // freeReleased empties the queue only after the first reservation
            releasedIds.add(id);
        }
    }

    /**
     * Sets {@link #COUNTED}, so that {@link #reserve()} throws from now on, and takes back all ids that threads have reserved.
     *
     * @throws IllegalStateException if a thread has reserved an id and bodies live; then nothing is set
     */
    void stop() {
        int use;
        int reserved;
        do {
            use = everUsed.getOpaque();
            reserved = (use & EVER_RESERVED) != 0 ? use & SLOTS : 0; // or released, or lost
            if (reserved > 0 && slots.liveCount() > 0) {
                throw new IllegalStateException(
                        "bodies cannot be counted from 0 once an id was reserved and bodies live,"
                                + " because they may have any slots; use spawn and despawn");
            }
        } while (!everUsed.weakCompareAndSetPlain(use, use | COUNTED));
        for (int slot = 0; slot < reserved; slot++) {
            withdraw(slot);
            slots.skipGeneration(slot);
        }
    }

    /** Starts a capture. The held slots stay free in it, and are offered after it. */
    void startTick() {
        freeReleased();
        isHolding = false;
    }

    /**
     * Frees the slots of released ids, and offers free slots to threads that reserve. Each capture does this. Call it in a long time
     * without captures, for example a pause; else every reservation takes a new slot. Does nothing before the first reservation: a
     * simulation without reservations gets the lowest slots.
     */
    public void freeReleased() {
        if (!slots.hasReservations()) {
            return;
        }
        for (Long id = releasedIds.poll(); id != null; id = releasedIds.poll()) {
            if (isReserved(id)) { // else the simulation has despawned the id, which freed its slot
                slots.skipGeneration(BodyId.slot(id));
            }
        }
        if (isHolding) {
            return;
        }
        heldSlots.clear();
        if (cellsNeeded > 0 && offeredCells.isEmpty()) {
            offeredCells = new SpmcVarHandleArrayQueue<>(Math.max(offeredCells.capacity(), cellsNeeded));
        }
        int slot = slots.lowestFree();
        while (slot >= 0 && offer(slot)) {
            slots.freeSlots.clear(slot);
            slot = slots.lowestFree();
        }
        // If a free slot is left, the queue has refused it: the queue is too small, or an error within a poll has
        // blocked it.
        cellsNeeded = slot >= 0 ? offeredCells.size() + slots.freeSlots.cardinality() : 0;
    }

    private boolean offer(int slot) {
        if (slot >= cells.length) {
            cells = Arrays.copyOf(cells, Math.max(slot + 1, 2 * cells.length));
        }
        AtomicLong cell = cells[slot];
        if (cell == null) {
            cell = new AtomicLong();
            cells[slot] = cell;
        }
        // Plain, before relaxedOffer, whose release pairs with poll: else a thread could find TAKEN and lose the slot.
        cell.setPlain(slots.nextId(slot));
        boolean fits = offeredCells.relaxedOffer(cell);
        if (!fits) {
            cell.setPlain(TAKEN); // else isWaiting would return true even when the slot has a body
        }
        return fits;
    }

    /** Returns whether any thread may still reserve the slot's next id. A thread stores {@link #TAKEN} before it has the id. */
    private boolean isWaiting(int slot) {
        AtomicLong cell = slot < cells.length ? cells[slot] : null;
        // Plain is enough: the simulation got a reserved id from the thread that took it, which orders that thread's
        // getAndSet before this load.
        return cell != null && cell.getPlain() != TAKEN;
    }

    /**
     * Takes the next id of a slot back, so that no thread can reserve it. Returns false if no id was offered, or a thread took it first.
     */
    private boolean withdraw(int slot) {
        if (!isWaiting(slot)) { // plain: if the value is stale, getAndSet below finds TAKEN
            return false;
        }
        AtomicLong cell = Objects.requireNonNull(cells[slot]);
        cells[slot] = null; // the queue still holds the cell, for a poll that finds it TAKEN
        return cell.getAndSet(TAKEN) != TAKEN; // atomic: of this and a concurrent reserve, only one gets the id
    }

    /**
     * Holds free slots for the bodies of a restored state: until the next capture ends, threads reserve only never used slots.
     *
     * @return the number of used slots that threads have reserved already; if it is above 0, no slots are held
     */
    public int hold() {
        freeReleased();
        int reserved = 0;
        for (int slot = 0; slot < everUsed(); slot++) {
            if (withdraw(slot)) {
                heldSlots.set(slot);
                slots.addFree(slot);
            } else if (slots.generation(slot) != slots.firstGeneration && isReserved(slots.nextId(slot))) {
                reserved++;
            }
        }
        isHolding |= reserved == 0;
        return reserved;
    }

    /** Undoes {@link #hold} if no state is restored after all: threads can reserve the slots after {@link #freeReleased()} or a capture. */
    public void releaseHeld() {
        isHolding = false;
    }

    /** Returns the lowest free slot that is not held, or else one that counts as never used; -1 if there is none. */
    int freeSlot() {
        int slot = slots.lowestFree();
        while (slot >= 0 && heldSlots.get(slot)) {
            slot = slots.freeSlots.nextSetBit(slot + 1);
        }
        return slot >= 0 ? slot : freeUndone();
    }

    private int freeUndone() {
        int slot = undoneSlots.nextSetBit(0);
        while (slot >= 0
                && (slots.generation(slot) != slots.firstGeneration
                        || !(slots.freeSlots.get(slot) || withdraw(slot)))) {
            slot = undoneSlots.nextSetBit(slot + 1);
        }
        return slot;
    }

    /**
     * Frees the slot of an id that another world or a saved state chose: no thread can reserve that slot any more, nor a never used one
     * below it. Returns false if the slot is live or reserved, or if the id's generation is even, which no body has.
     */
    boolean claim(long id) {
        int slot = BodyId.slot(id);
        if (!BodyId.isLive(BodyId.generation(id)) || slot < 0 || slot >= BodySlots.MAX_SLOTS || slots.isLive(slot)) {
            return false;
        }
        for (int claimed = takeNewUpTo(slot); claimed <= slot; claimed++) {
            slots.addFree(claimed);
        }
        if (withdraw(slot)) {
            slots.addFree(slot);
        }
        return slots.freeSlots.get(slot);
    }

    /** Gives a claimed slot the generation that a despawn of the body leaves. */
    void despawnAs(long id) {
        int slot = BodyId.slot(id);
        slots.spawnAs(id);
        slots.despawn(slot);
        if (slots.generation(slot) == slots.firstGeneration) {
            undoneSlots.set(slot);
        }
    }

    boolean isReserved(long id) {
        int slot = BodyId.slot(id);
        return slot >= 0
                && slot < everUsed()
                && !slots.isLive(slot)
                && !slots.freeSlots.get(slot)
                && slots.nextId(slot) == id
                && !isWaiting(slot);
    }

    void requireReserved(long id, long tick) {
        if (!isReserved(id)) {
            throw new IllegalArgumentException(
                    "body " + BodyId.toString(id) + " cannot be spawned in tick " + tick + ": " + whyNotReserved(id));
        }
    }

    private String whyNotReserved(long id) {
        int slot = BodyId.slot(id);
        if (slots.find(id) >= 0) {
            return "it lives already";
        }
        boolean earlier = slot >= 0
                && slot < everUsed()
                && BodyId.isLive(BodyId.generation(id))
                && slots.generation(slot) - BodyId.generation(id) > 0;
        return earlier
                ? "it is gone or was released, and its slot has generation " + slots.generation(slot) + " now"
                : "it was never reserved";
    }
}
