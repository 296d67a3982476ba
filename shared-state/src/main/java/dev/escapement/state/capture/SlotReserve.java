package dev.escapement.state.capture;

import dev.escapement.state.snapshot.BodyId;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where ids for bodies to come are from, without anybody ever waiting: a slot that is used again, if the physics thread has put
 * some here, or one that never was.
 *
 * <p>Any thread, except where it says otherwise.
 */
final class SlotReserve {

    private static final int FIRST_CAPACITY = 64;

    /** Nobody has reserved yet, and the simulation has not counted its bodies: whoever comes first decides. */
    private static final int UNDECIDED = 0;

    private static final int RESERVED = 1;
    private static final int COUNTED = 2;

    private final int maxSlots;
    private final int firstGeneration;
    private final AtomicInteger use = new AtomicInteger(UNDECIDED);

    /**
     * How many slots were ever used or reserved. Only atomic: that no two get the same number is all it has to say. Whoever
     * asks about an id was handed it, and the number that made it, by somebody else's release.
     */
    private final AtomicInteger everUsed = new AtomicInteger();

    // Volatile: the physics thread's store releases the new ring to who reserves and acquires it here. Who still reads
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
        if (!decide(RESERVED)) {
            throw new IllegalStateException("no id can be reserved: the simulation counts its bodies from 0; let it use"
                    + " PoseWriter.spawn and despawn instead of bodyCount");
        }
        long id = ring.take();
        return id == SlotRing.NONE ? BodyId.of(takeNew(), firstGeneration + 1) : id;
    }

    /** Whether bodies may be counted from 0 without a gap. From now on no id is reserved if so. */
    boolean mayCount() {
        return decide(COUNTED);
    }

    /** Whether anybody has ever reserved. Opaque: what it leads to is ordered by the ring. */
    boolean isUsed() {
        return use.getOpaque() == RESERVED;
    }

    /** Opaque is enough to find it decided: that is final. Else the exchange is atomic, and one of two wins. */
    private boolean decide(int wanted) {
        if (use.getOpaque() == wanted) {
            return true;
        }
        int before = use.compareAndExchange(UNDECIDED, wanted);
        return before == UNDECIDED || before == wanted;
    }

    /** A slot that was never used. */
    int takeNew() {
        while (true) {
            int slot = everUsed.getOpaque();
            if (slot == maxSlots) {
                throw new IllegalStateException("all " + maxSlots + " slots have a body or are reserved for one");
            }
            if (everUsed.weakCompareAndSetPlain(slot, slot + 1)) {
                return slot;
            }
        }
    }

    int everUsed() {
        return everUsed.getOpaque();
    }

    void giveBack(long id) {
        givenBack.add(id);
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
