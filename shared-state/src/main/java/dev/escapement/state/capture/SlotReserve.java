package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where ids for bodies to come are from, without a thread ever waiting: a slot that is used again, if the physics thread has put
 * some here, or one that never was.
 *
 * <p>Any thread, except where it says otherwise.
 */
final class SlotReserve {

    private static final int FIRST_CAPACITY = 64;

    /** An id was reserved. */
    private static final int RESERVED = 1 << 30;

    /** The simulation counts its bodies from 0, and no id is reserved any more. */
    private static final int COUNTED = 1 << 29;

    private static final int SLOTS = COUNTED - 1;

    private final int maxSlots;
    private final int firstGeneration;

    /**
     * How many slots were ever used or reserved, and what for, in one word: so none is reserved once the bodies are counted. Only
     * atomic: that no two get the same number is all it has to say. A thread that asks about an id was handed it, and the number that
     * made it, by another thread's release.
     */
    private final AtomicInteger everUsed = new AtomicInteger();

    // Volatile: the physics thread's store releases the new ring to threads that reserve and acquire it here. One that
    // still reads
    // the one before finds it empty, for good.
    private volatile SlotRing ring = new SlotRing(FIRST_CAPACITY);

    /** Ids that will not be used, on their way to the physics thread. Seldom any, so that each may cost an object. */
    private final ConcurrentLinkedQueue<Long> givenBack = new ConcurrentLinkedQueue<>();

    SlotReserve(int maxSlots, int firstGeneration) {
        this.maxSlots = maxSlots;
        this.firstGeneration = firstGeneration;
    }

    int firstGeneration() {
        return firstGeneration;
    }

    /** An id that no body has or had. Lock-free, and allocates nothing. */
    long reserve() {
        if (!isUsed()) {
            beginReserving(); // also where no slot is left: from then on those of bodies that go are put into the ring
        }
        long id = ring.take();
        return id == SlotRing.NONE ? BodyId.of(takeNew(RESERVED), firstGeneration + 1) : id;
    }

    /** Throws if no id is reserved any more, and those that were are void. */
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
        } while (!everUsed.weakCompareAndSetPlain(use, use | RESERVED));
    }

    /**
     * Physics thread: whether bodies are counted from 0 from now on, so that no id is reserved any more.
     *
     * @param voiding whether ids that were reserved are void then, and not the reason why bodies must not be counted; only as
     *                long as none was put into the ring
     */
    boolean count(boolean voiding) {
        while (true) {
            int use = everUsed.getOpaque();
            if ((use & RESERVED) != 0 && !voiding) {
                return false;
            }
            if ((use & COUNTED) != 0 || everUsed.weakCompareAndSetPlain(use, (use & SLOTS) | COUNTED)) {
                return true;
            }
        }
    }

    /** Whether an id was ever reserved, and bodies are not counted. Opaque: what it leads to is ordered by the ring. */
    boolean isUsed() {
        return (everUsed.getOpaque() & RESERVED) != 0;
    }

    /** A slot that was never used, for the simulation's own. Physics thread. */
    int takeNew() {
        return takeNew(0);
    }

    private int takeNew(int reserved) {
        while (true) {
            int use = everUsed.getOpaque();
            if (reserved != 0) {
                requireReserving(use);
            }
            if ((use & SLOTS) == maxSlots) {
                throw new IllegalStateException("all " + maxSlots + " slots have a body or are reserved for one");
            }
            if (everUsed.weakCompareAndSetPlain(use, (use | reserved) + 1)) {
                return use & SLOTS;
            }
        }
    }

    int everUsed() {
        return everUsed.getOpaque() & SLOTS;
    }

    void giveBack(long id) {
        if (isUsed()) { // else it would never be taken back
            givenBack.add(id);
        }
    }

    /** Physics thread: an id that will not be used, null if there is no more. */
    @Nullable
    Long nextGivenBack() {
        return givenBack.poll();
    }

    /** Physics thread. */
    SlotRing ring() {
        return ring;
    }

    /** Physics thread: a larger ring in place of one that is empty, and stays so. */
    SlotRing enlarge() {
        SlotRing larger = new SlotRing(2 * ring.capacity());
        ring = larger;
        return larger;
    }
}
