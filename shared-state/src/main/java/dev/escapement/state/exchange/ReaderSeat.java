package dev.escapement.state.exchange;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A reader's place through all exchanges that follow one another: who has it, and where its next window comes from.
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
 *   <li>One thread at a time calls {@link #moveTo}, and each slot is moved to once.</li>
 *   <li>The reader that has the seat is used by one thread at a time.</li>
 * </ol>
 * <b>Guarantees</b>, with tests in {@code SuccessionTest} and {@code SuccessionRandomisedTest}; jcstress: {@code FollowSuccessor},
 * {@code FollowThroughRestarts}, {@code DetachWhileMoving}
 * <ol>
 *   <li>One reader has the seat at a time. What it left in a slot is seen by the next one.</li>
 *   <li>{@link #newestAfter} finds the newest slot with a window that the reader has not taken, among all that were moved to
 *       before it asked.</li>
 *   <li>What was moved from is referred to by nothing here, unless it is the newest with an unread window.</li>
 * </ol>
 * <b>Progress</b>: wait-free for everybody, a constant number of steps.
 */
final class ReaderSeat {

    /** Who has the seat, null for nobody. Full accesses: giving it up releases what the reader left, taking it acquires that. */
    private final AtomicReference<@Nullable SnapshotReader> reader = new AtomicReference<>();

    /** The slot of the exchange that is written now. */
    private final AtomicReference<ReaderSlot> current;

    /** The newest slot before the current one that has a window for the reader; null if there is none. */
    private final AtomicReference<@Nullable ReaderSlot> unread = new AtomicReference<>();

    ReaderSeat(ReaderSlot first) {
        current = new AtomicReference<>(first);
    }

    /** Any thread. Acquires what the previous reader released by {@link #giveUp}. */
    boolean tryTake(SnapshotReader newReader) {
        return reader.compareAndSet(null, newReader);
    }

    /** Its reader, once. The reader must not touch its slot any more. */
    void giveUp() {
        unread.set(null); // first: from the next line on there may be another reader
        reader.set(null);
    }

    /** Any thread: who has the seat, null for nobody. */
    @Nullable
    SnapshotReader reader() {
        return reader.get();
    }

    /**
     * Whether a slot is that of the exchange written now. Opaque is enough for a first look, {@link #newestAfter} acquires; coherence
     * makes a change seen in the end.
     */
    boolean isCurrent(ReaderSlot slot) {
        return current.getOpaque() == slot;
    }

    /**
     * Goes on to a slot that no other thread has seen yet. Releases it, by the store of {@code current}, to {@link #newestAfter}: who
     * finds the new slot there also finds what the one before it left unread.
     */
    void moveTo(ReaderSlot next) {
        ReaderSlot last = Objects.requireNonNull(current.get());
        next.follow(last);
        if (reader.get() == null) {
            unread.set(null);
        } else if (last.word.isFresh()) {
            unread.set(last);
        }
        current.setRelease(next);
    }

    /** The reader: the newest slot after its own that has a window for it, null if there is none. */
    @Nullable
    ReaderSlot newestAfter(ReaderSlot own) {
        // Acquire: pairs with the release in moveTo.
        ReaderSlot latest = Objects.requireNonNull(current.getAcquire());
        if (latest.word.isFresh()) {
            return latest;
        }
        ReaderSlot before = unread.getAcquire();
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
