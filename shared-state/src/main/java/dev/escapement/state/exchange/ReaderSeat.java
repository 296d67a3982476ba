package dev.escapement.state.exchange;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place of one reader in all exchanges that follow one another: which reader has it, and from which slot its next window comes.
 *
 * <pre>
 *   exchange 1       exchange 2       exchange 3       exchange 4
 *   slot: the reader (no window,      slot: the last   slot: current,
 *   holds its window forgotten)       unread window    no window yet
 * </pre>
 *
 * <p>It refers to at most two slots, however many exchanges there were, so that all others can be garbage-collected.
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread at a time calls {@link #moveTo}, once for each slot. The last publish of the previous slot's writer happens before that
 *       call, because its thread has ended or was abandoned.</li>
 *   <li>The reader that has the seat is used by one thread at a time.</li>
 * </ol>
 * <b>Guarantees</b>, with tests in {@code SuccessionTest} and {@code SuccessionRandomisedTest}; jcstress: {@code FollowSuccessor},
 * {@code FollowThroughRestarts}, {@code DetachWhileMoving}
 * <ol>
 *   <li>One reader has the seat at a time. The next one sees what it left in a slot.</li>
 *   <li>{@link #newestAfter} finds the newest slot with an unread window, among all slots that were moved to before the call.</li>
 *   <li>Of all slots that were moved from, this refers to at most one: the last that had an unread window.</li>
 * </ol>
 * <b>Progress</b>: wait-free for all threads, a constant number of steps.
 */
final class ReaderSeat {

    /**
     * The reader that has the seat, null if it is free. Volatile accesses: giving up releases what the reader left in its slot, and taking
     * the seat acquires that.
     */
    private final AtomicReference<@Nullable SnapshotReader> reader = new AtomicReference<>();

    /**
     * The slot of the current exchange, the one that is being written. Volatile: a store releases the slot, and what is in {@link #unread},
     * to each load. Not an AtomicReference, because every acquire looks here.
     */
    private volatile ReaderSlot current;

    /** The newest slot before the current one that has an unread window; null if there is none. */
    private final AtomicReference<@Nullable ReaderSlot> unread = new AtomicReference<>();

    ReaderSeat(ReaderSlot first) {
        current = first;
    }

    /**
     * Any thread. Acquires what the previous reader's {@link #giveUp} released. If the seat's reader belongs to a dead thread, it is closed
     * here, because that thread cannot close it.
     */
    boolean tryTake(SnapshotReader newReader) {
        if (reader.compareAndSet(null, newReader)) {
            return true;
        }
        SnapshotReader last = reader.get();
        return last != null && last.closeIfOwnerDead() && reader.compareAndSet(null, newReader);
    }

    /** The seat's reader only, once. It must not touch its slot afterwards. */
    void giveUp() {
        reader.set(null);
    }

    boolean isTaken() {
        return reader.get() != null;
    }

    /** Who has the seat, for messages. Any thread; empty if it is free by now. */
    Optional<String> holder() {
        return Optional.ofNullable(reader.get()).map(SnapshotReader::holder);
    }

    /**
     * The current slot, for a reader that has just taken the seat. It is at least as new as the one that the previous reader saw before it
     * gave the seat up, so no reader starts in a slot that another one has moved away from.
     */
    ReaderSlot current() {
        return current;
    }

    /**
     * Whether a slot is the current one. If it is, no other read depends on this one; if it is not, {@link #newestAfter} acquires.
     */
    boolean isCurrent(ReaderSlot slot) {
        return current == slot;
    }

    /**
     * Makes a slot that no other thread has seen yet the current one. The store of {@code current} releases it to {@link #newestAfter}: a
     * reader that finds the new slot there also finds the unread window of the previous one.
     */
    void moveTo(ReaderSlot next) {
        ReaderSlot last = current;
        next.follow(last);
        if (last.isFresh()) {
            unread.set(last); // before current: a reader that sees the new slot also finds this
        }
        current = next;
    }

    /** Reader only: the newest slot after its own that has an unread window, null if there is none. */
    @Nullable
    ReaderSlot newestAfter(ReaderSlot own) {
        // Acquires: pairs with the store of current in moveTo, and comes before unread is read.
        ReaderSlot latest = current();
        if (latest.isFresh()) {
            return latest;
        }
        // Acquires: pairs with the store of unread in moveTo, which may be of a later move than the current read above.
        ReaderSlot before = unread.getAcquire();
        return before != null && before.isAfter(own) && before.isFresh() ? before : null;
    }

    /**
     * Reader only, when it has moved to a slot: forgets an unread slot that is not newer. Compare-and-set, because a concurrent
     * {@link #moveTo} may put a newer one.
     */
    void forgetUnreadUpTo(ReaderSlot own) {
        ReaderSlot before = unread.get();
        if (before != null && !before.isAfter(own)) {
            unread.compareAndSet(before, null);
        }
    }
}
