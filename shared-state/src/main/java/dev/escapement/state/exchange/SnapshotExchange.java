package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hands windows of the K latest consecutive snapshots from one writer to up to R readers, wait-free on both sides and
 * without copying a snapshot.
 *
 * <pre>
 *   writer                    one per reader                       reader
 *   fill spare window --put--&gt; [ word: window, fresh? ] --take--&gt; held window
 *         ^----------------------- the window that lay there --------------'
 * </pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread writes, through {@link #writer()}.</li>
 *   <li>A reader is used by one thread at a time; it may be {@link SnapshotReader#handOver() handed over}. A thread that has died owns
 *       no reader.</li>
 *   <li>No user keeps a window or anything in it beyond the next {@link SnapshotReader#acquire()}.</li>
 * </ol>
 * The first two are checked, at the price of one plain load (tests: {@code shouldRefuseASecondThread}, {@code DeadReaderTest}; jcstress:
 * {@code HandOver}); the third cannot be.
 *
 * <p><b>Guarantees</b>, each with the test that fails when it is broken. Tests named {@code should...} are those of
 * {@code SnapshotExchangeTest}; capitalised names are jcstress tests; {@code ExchangeRandomisedTest} checks 3 to 8 after
 * every random step, and the Promela model in {@code src/model} checks 1, 2, 4, 5, 6 and 8 in every interleaving.
 * <ol>
 *   <li>Writer wait-free: a publish is one exchange per reader slot, and readers cannot make it more. It never blocks and never
 *       drops. ({@code shouldKeepAHeldWindowAsItIs} publishes under a reader that never lets go.)</li>
 *   <li>Reader wait-free: no change costs two loads, a change two loads and an exchange, three more loads while the window held is of an
 *       exchange that was handed on. ({@code shouldSayThatNothingChanged})</li>
 *   <li>Zero copy: snapshots are written in place and read in place.
 *       ({@code shouldHandOverTheSnapshotItselfAndNotACopy})</li>
 *   <li>Consecutive: a window holds ticks n - K + 1 .. n, however many the reader skipped. Before K ticks exist there is no
 *       window, and {@link SnapshotReader#acquire()} says so. ({@code shouldHandOverConsecutiveTicksHoweverManyTheReaderSkips},
 *       {@code shouldSayThatThereIsNoWindowBeforeEnoughTicks}; {@code WholeWindow})</li>
 *   <li>Stable: nothing in a held window is written until its reader acquires the next.
 *       ({@code shouldKeepAHeldWindowAsItIs}; {@code HeldWindow}, {@code ReadThenGiveBack})</li>
 *   <li>Fresh: a reader that asks gets the latest window that was published before it asked, by this exchange's writer or by that of one
 *       that it was handed on to. ({@code FreshAfterFlag}, {@code NeverBackwards}, {@code FollowThroughRestarts})</li>
 *   <li>Many readers: each has its own word and pace, and none can slow another.
 *       ({@code shouldKeepAHeldWindowAsItIs}; {@code TwoReaders})</li>
 *   <li>Bounded: (R + 1) K + 1 snapshots and 3 R windows, made at the start.
 *       ({@code shouldUseExactlyAsManySnapshotsAsItSays})</li>
 *   <li>Replaceable: a reader of an exchange that was {@link #handOnTo handed on} keeps its window until a successor has one,
 *       and then goes over by itself. However many exchanges follow one another, R + 2 can be reached at most: of each attached
 *       reader the one whose window it holds, the last before the current one that has a window, and the current one. (A thread that
 *       hangs keeps what it writes.)
 *       ({@code SuccessionTest}, {@code SuccessionRandomisedTest}; {@code FollowSuccessor}, {@code FollowThroughRestarts},
 *       {@code DetachWhileMoving})</li>
 * </ol>
 *
 * <p><b>Progress</b>
 * <ul>
 *   <li>Writer, {@link SnapshotWriter#nextSnapshot()}, {@link SnapshotWriter#publish} and {@link SnapshotWriter#publishAgain}:
 *       wait-free, a number of steps bounded by R.</li>
 *   <li>Reader, {@link SnapshotReader#acquire()} and {@link SnapshotReader#window()}: wait-free, a constant number of
 *       steps, however many exchanges have followed this one. The first call of a new owner is lock-free.</li>
 *   <li>Any thread, {@link #attach()}: wait-free, three compare-and-sets per place at most; {@link SnapshotReader#close()}: lock-free, a
 *       compare-and-set and a store where no other thread wants the same reader.</li>
 * </ul>
 *
 * <p><b>Why the writer always finds a free snapshot.</b> Of a reader's three windows the writer owns one, whose contents
 * no longer matter. The other two are the one between them, which is the latest window because every publish puts it
 * there, and the one the reader holds. So at most K snapshots are in the latest window, at most K more are held by each of
 * R readers, and of (R + 1) K + 1 at least one is left. Slots are never removed: a writer that forgot a detached reader's
 * window would write into it.
 */
public final class SnapshotExchange {

    private final ReaderSlot[] slots;
    private final SnapshotWriter writer;

    /**
     * Creates an exchange of poses without velocities and channels, with all the memory it will use.
     *
     * @param windowSize         K, snapshots in a window, at least 2
     * @param maxReaders         R, the most readers attached at a time, at least 1
     * @param preallocatedBodies how many bodies fit a snapshot before it has to grow
     * @param rate               the rate of the ticks
     * @throws IllegalArgumentException if a number is out of its range: K above 10, or (R + 1) K + 1 above 64
     */
    public SnapshotExchange(int windowSize, int maxReaders, int preallocatedBodies, TickRate rate) {
        this(windowSize, maxReaders, preallocatedBodies, rate, PoseLayout.PLAIN, null);
    }

    /**
     * Creates an exchange with all the memory it will use.
     *
     * @param windowSize         K, snapshots in a window, at least 2
     * @param maxReaders         R, the most readers attached at a time, at least 1
     * @param preallocatedBodies how many bodies fit a snapshot before it has to grow
     * @param rate               the rate of the ticks
     * @param layout             what a pose consists of
     * @param clock              what due times are instants of, so that readers can check theirs; null if readers are to check nothing
     * @throws IllegalArgumentException if a number is out of its range: K above 10, or (R + 1) K + 1 above 64
     */
    public SnapshotExchange(
            int windowSize,
            int maxReaders,
            int preallocatedBodies,
            TickRate rate,
            PoseLayout layout,
            @Nullable NanoClock clock) {
        if (windowSize < 2) {
            throw new IllegalArgumentException(
                    "a window needs at least 2 snapshots to interpolate between, but K is " + windowSize);
        }
        if (maxReaders < 1) {
            throw new IllegalArgumentException("an exchange needs at least 1 reader, but R is " + maxReaders);
        }
        long count = (maxReaders + 1L) * windowSize + 1;
        if (windowSize > PackedWindow.MAX_SIZE || count > PackedWindow.MAX_SNAPSHOTS) {
            throw new IllegalArgumentException("K = " + windowSize + " and R = " + maxReaders + " need (R + 1) K + 1 = "
                    + count + " snapshots, but K may be at most " + PackedWindow.MAX_SIZE
                    + ", and the snapshots at most "
                    + PackedWindow.MAX_SNAPSHOTS);
        }
        Snapshot[] snapshots = new Snapshot[(int) count];
        Arrays.setAll(snapshots, i -> new Snapshot(preallocatedBodies, layout));
        slots = new ReaderSlot[maxReaders];
        for (int i = 0; i < maxReaders; i++) {
            slots[i] = new ReaderSlot(snapshots, windowSize, rate, clock);
        }
        writer = new SnapshotWriter(slots, snapshots, windowSize);
    }

    /**
     * The writer's side. The first thread to use it becomes the writer, when that has died the next one.
     *
     * @return the only writer
     */
    public SnapshotWriter writer() {
        return writer;
    }

    /**
     * Takes a reader's place. Any thread may call this, while the writer runs and while this exchange is handed on: the reader begins in the
     * exchange that is current then, and has no window before that has one. A reader whose thread has died gives its place up; one that is being closed still has it.
     * Wait-free: three compare-and-sets per place at most.
     *
     * @return a reader for the first thread that uses it
     * @throws IllegalStateException if all R places are taken by other readers
     */
    public SnapshotReader attach() {
        SnapshotReader reader = new SnapshotReader();
        for (ReaderSlot slot : slots) {
            if (reader.tryAttach(slot.seat())) {
                return reader;
            }
        }
        throw new IllegalStateException("all " + slots.length
                + " readers are attached; close one, or allow more: maxReaders(" + (slots.length + 1)
                + ") of the service's builder");
    }

    /**
     * Lets another exchange take the place of this one, whose writer publishes nothing any more: it has stopped, or hangs elsewhere and
     * will be stopped when it comes back. The caller knows of its last publish by an order between the two threads. Each reader
     * keeps the window it has, and goes over with the first {@link SnapshotReader#acquire()} after the successor has a window
     * of its own. Any thread may call this, once, before any thread attaches to the successor. Wait-free.
     *
     * @param successor a new exchange for as many readers, whose first tick follows the last of this one
     * @throws IllegalArgumentException if the successor is for another number of readers, or not new
     * @throws IllegalStateException    if this exchange was handed on before
     */
    public void handOnTo(SnapshotExchange successor) {
        if (successor.slots.length != slots.length) {
            throw new IllegalArgumentException("an exchange for " + slots.length
                    + " readers cannot be handed on to one for " + successor.slots.length);
        }
        if (wasHandedOn()) {
            throw new IllegalStateException("this exchange was handed on before");
        }
        if (successor == this || !successor.isUnused()) {
            throw new IllegalArgumentException(
                    "an exchange can only be handed on to a new one, to which nothing was published and no reader was attached");
        }
        for (int i = 0; i < slots.length; i++) {
            slots[i].seat().moveTo(successor.slots[i]);
        }
    }

    private boolean wasHandedOn() {
        return !slots[0].seat().isCurrent(slots[0]);
    }

    private boolean isUnused() {
        boolean unused = writer.latest() == null && !wasHandedOn();
        for (ReaderSlot slot : slots) {
            unused &= !slot.seat().isTaken() && !slot.isSuccessor();
        }
        return unused;
    }
}
