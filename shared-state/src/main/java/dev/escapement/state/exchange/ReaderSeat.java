package dev.escapement.state.exchange;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A reader's place through all exchanges that follow one another: which reader has it, and where its next window comes from.
 *
 * <pre>
 *   exchange 1       exchange 2       exchange 3       exchange 4
 *   slot: what the   (no window,      slot: unread,    slot: current,
 *   reader holds     forgotten)       its newest       no window yet
 * </pre>
 *
 * <p>It knows two slots at most, however many exchanges there were, so that what no reader holds or will get can be collected.
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread at a time calls {@link #moveTo}, once for each slot. The writer of the slot before has published for the last time,
 *       and the caller knows of that by an order between the two: the thread's end, or its being abandoned.</li>
 *   <li>The reader that has the seat is used by one thread at a time.</li>
 * </ol>
 * <b>Guarantees</b>, with tests in {@code SuccessionTest} and {@code SuccessionRandomisedTest}; jcstress: {@code FollowSuccessor},
 * {@code FollowThroughRestarts}, {@code DetachWhileMoving}
 * <ol>
 *   <li>One reader has the seat at a time. What it left in a slot is seen by the next one.</li>
 *   <li>{@link #newestAfter} finds the newest slot with a window that was put there and not taken, among all that were moved to
 *       before it was asked.</li>
 *   <li>Of all slots that were moved from, this refers to one at most: the last that had a window which was not taken.</li>
 * </ol>
 * <b>Progress</b>: wait-free for all threads, a constant number of steps.
 */
final class ReaderSeat {

    /** The reader that has the seat, null if it is free. Full accesses: giving it up releases what the reader left, taking it acquires that. */
    private final AtomicReference<@Nullable SnapshotReader> reader = new AtomicReference<>();

    /** The slot of the exchange that is written now. */
    private final AtomicReference<ReaderSlot> current;

    /** The newest slot before the current one that has a window for the reader; null if there is none. */
    private final AtomicReference<@Nullable ReaderSlot> unread = new AtomicReference<>();

    ReaderSeat(ReaderSlot first) {
        current = new AtomicReference<>(first);
    }

    /**
     * Any thread. Acquires what the previous reader released by {@link #giveUp}. A reader whose thread has died gives the seat up here:
     * it cannot do so itself.
     */
    boolean tryTake(SnapshotReader newReader) {
        if (reader.compareAndSet(null, newReader)) {
            return true;
        }
        SnapshotReader last = reader.get();
        return last != null && last.closeIfOwnerDead() && reader.compareAndSet(null, newReader);
    }

    /** Its reader, once. The reader must not touch its slot any more. */
    void giveUp() {
        reader.set(null);
    }

    boolean isTaken() {
        return reader.get() != null;
    }

    /**
     * For a reader that has just taken the seat. Acquires at least what the reader before it saw here, which gave up the seat later: so
     * no reader begins in a slot that another one has left behind.
     */
    ReaderSlot current() {
        return Objects.requireNonNull(current.getAcquire());
    }

    /**
     * Whether a slot is that of the exchange written now. Opaque is enough: if it is, nothing else is read on the strength of it, if it is
     * not, {@link #newestAfter} acquires. Coherence makes a change seen in the end.
     */
    boolean isCurrent(ReaderSlot slot) {
        return current.getOpaque() == slot;
    }

    /**
     * Goes on to a slot that no other thread has seen yet. Releases it, by the store of {@code current}, to {@link #newestAfter}: who
     * finds the new slot there also finds what the one before it left unread.
     */
    void moveTo(ReaderSlot next) {
        ReaderSlot last = Objects.requireNonNull(current.getPlain()); // only this method writes it
        next.follow(last);
        if (last.word.isFresh()) {
            unread.set(last); // before current: who sees the new slot there finds this
        }
        current.setRelease(next);
    }

    /** The reader: the newest slot after its own that has a window for it, null if there is none. */
    @Nullable
    ReaderSlot newestAfter(ReaderSlot own) {
        // Acquire: pairs with the release in moveTo, and comes before unread is read.
        ReaderSlot latest = current();
        if (latest.word.isFresh()) {
            return latest;
        }
        ReaderSlot before =
                unread.getAcquire(); // pairs with the store in moveTo, where it is newer than that of current
        return before != null && before.isAfter(own) && before.word.isFresh() ? before : null;
    }

    /** The reader, when it has come to a slot: it will not want what is older. Compare-and-set, for a {@link #moveTo} may put a newer one. */
    void forgetUnreadBefore(ReaderSlot own) {
        ReaderSlot before = unread.get();
        if (before != null && !before.isAfter(own)) {
            unread.compareAndSet(before, null);
        }
    }
}
