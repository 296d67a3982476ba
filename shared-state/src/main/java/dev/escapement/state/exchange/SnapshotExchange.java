package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hands windows of the K latest consecutive snapshots from one writer to up to R readers. Both sides are wait-free, and nobody copies a
 * snapshot. A window is one 64-bit word: the numbers of its newest snapshot and of a timeline.
 *
 * <pre>
 *   writer                  one per reader              reader
 *   latest window --put--&gt; [ word: a window ] --take--&gt; held window
 *        taken? &lt;---------- [ word: none     ] &lt;----------'
 * </pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread writes, through {@link #writer()}.</li>
 *   <li>One thread at a time uses a reader, and may {@link SnapshotReader#handOver() hand it over} to another. A dead thread owns no
 *       reader.</li>
 *   <li>No caller uses a window, or anything in it, after the next {@link SnapshotReader#acquire()} or
 *       {@link SnapshotReader#close()}.</li>
 * </ol>
 * The exchange checks the first two, at the cost of one plain load (tests: {@code shouldRefuseASecondThread},
 * {@code shouldAttachInThePlaceOfADeadReader}; jcstress: {@code HandOver}). It cannot check the third.
 *
 * <p><b>Guarantees</b>, each with the test that fails when it is broken. Tests named {@code should...} are in
 * {@code SnapshotExchangeTest}; most capitalised names are jcstress tests. {@code shouldKeepEveryGuaranteeAfterEveryStep} checks 3 to 8
 * after every random step. The Promela model in {@code src/model} checks 1, 2 and 4 to 8 in every interleaving; with one reader slot,
 * also in every order that acquire and release allow.
 * <ol>
 *   <li>Writer wait-free: a publish is one atomic exchange per reader slot, whatever readers do. It never blocks and never drops a
 *       snapshot. ({@code shouldWriteAllFreeSnapshotsInTurn})</li>
 *   <li>Reader wait-free: an acquire takes one load, and one atomic exchange more if there is a new window.
 *       ({@code shouldSayThatNothingChanged})</li>
 *   <li>Zero copy: the writer writes snapshots in place, and readers read them in place.
 *       ({@code shouldHandOverTheSnapshotItselfAndNotACopy})</li>
 *   <li>Consecutive: a window holds ticks n - K + 1 .. n, however many ticks the reader skipped. Before K published ticks there is no
 *       window, and {@link SnapshotReader#acquire()} returns false. ({@code shouldHandOverConsecutiveTicksHoweverManyTheReaderSkips},
 *       {@code shouldKeepEveryGuaranteeAfterEveryStep}; {@code WholeWindow})</li>
 *   <li>Stable: the writer writes nothing in a held window until its reader acquires the next one.
 *       ({@code shouldKeepEveryGuaranteeAfterEveryStep}; {@code HeldWindow}, {@code ReadThenGiveBack})</li>
 *   <li>Fresh: an acquire gets the latest window published before it.
 *       ({@code FreshAfterFlag}, {@code NeverBackwards})</li>
 *   <li>Many readers: each has its own word and its own pace, and none slows another.
 *       ({@code shouldAlwaysGiveAReaderTheSameWindowObject}; {@code TwoReaders})</li>
 *   <li>Bounded: the constructor allocates (R + 1) K + 1 snapshots and R + 2 timelines, each reader one window.
 *       ({@code shouldUseExactlyAsManySnapshotsAsItSays}, {@code shouldUseExactlyAsManyTimelinesAsItSays})</li>
 * </ol>
 *
 * <p><b>Progress</b>
 * <ul>
 *   <li>Writer, {@link SnapshotWriter#nextSnapshot()}, {@link SnapshotWriter#publish} and {@link SnapshotWriter#publishTimeline}:
 *       wait-free; R bounds the number of steps.</li>
 *   <li>Reader, {@link SnapshotReader#acquire()} and {@link SnapshotReader#window()}: wait-free, a constant number of
 *       steps. The first call of a new owner is lock-free.</li>
 *   <li>Any thread, {@link #attach()}: wait-free, at most four compare-and-sets per slot; {@link SnapshotReader#close()}: lock-free, a
 *       compare-and-set and a store where no other thread wants the same reader.</li>
 * </ul>
 *
 * <p><b>Why the writer always finds a free snapshot and a free timeline.</b> Every publish puts the latest window into every word. The
 * exchange returns the previous word: if it is none, the reader has taken the previous window and holds it; otherwise the reader still
 * holds the one before. So K snapshots are in the latest window, and each of R readers holds at most K others: at least one of (R + 1) K +
 * 1 is free. Likewise one of R + 2 timelines is the latest, each reader holds at most one other, and one is free. Slots are never removed:
 * the window of a detached reader counts as held until the slot's next reader takes another.
 */
public final class SnapshotExchange {

    private final ReaderSlot[] slots;
    private final int limit;
    private final SnapshotWriter writer;

    /**
     * Creates an exchange and allocates all of its snapshots and timelines.
     *
     * @param windowSize         K, the snapshots of a window, at least 2
     * @param maxReaders         R, the maximum of readers attached at a time, at least 1
     * @param preallocatedBodies the number of bodies that fit a snapshot before it grows
     * @param rate               the rate of the ticks
     * @param layout             the components of a pose
     * @param clock              the clock of all due times, which a reader can compare with its own; null to compare nothing
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
                    "windowSize must be at least 2, because a frame lies between two snapshots, but is " + windowSize);
        }
        if (maxReaders < 1) {
            throw new IllegalArgumentException("maxReaders must be at least 1, but is " + maxReaders);
        }
        if (windowSize > Window.MAX_SIZE) {
            throw new IllegalArgumentException(
                    "windowSize must be at most " + Window.MAX_SIZE + ", but is " + windowSize);
        }
        limit = maxReaders(windowSize);
        if (maxReaders > limit) {
            throw new IllegalArgumentException("maxReaders must be at most " + limit + " with a windowSize of "
                    + windowSize + ", but is " + maxReaders);
        }
        WritableSnapshot[] snapshots = new WritableSnapshot[(maxReaders + 1) * windowSize + 1];
        Arrays.setAll(snapshots, i -> new WritableSnapshot(preallocatedBodies, layout));
        Timeline[] timelines = new Timeline[maxReaders + 2];
        Arrays.setAll(timelines, i -> new Timeline(rate));
        long[] windows = new long[snapshots.length * Window.ROW];
        slots = new ReaderSlot[maxReaders];
        Arrays.setAll(slots, i -> new ReaderSlot(snapshots, timelines, windows, windowSize, clock));
        writer = new SnapshotWriter(slots, snapshots);
    }

    /** The largest R for a window size: R + 1 windows and one more snapshot must fit into {@link Window#MAX_SNAPSHOTS}. */
    static int maxReaders(int windowSize) {
        return (Window.MAX_SNAPSHOTS - 1) / windowSize - 1;
    }

    /** {@return the only writer} The first thread that uses it owns it; after the death of that thread, the next one does. */
    public SnapshotWriter writer() {
        return writer;
    }

    /**
     * Attaches a reader. Any thread may call this, while the writer runs and after it has ended. The slot of a reader whose thread has died
     * is free; the slot of a reader that another thread is closing is not free yet. Walks the caller's stack for messages, then is
     * wait-free: at most four compare-and-sets per slot.
     *
     * @return a reader for the first thread that uses it
     * @throws IllegalStateException if other readers hold all R slots; the message names the lines of code that attached them
     */
    public SnapshotReader attach() {
        String caller = caller();
        for (ReaderSlot slot : slots) {
            SnapshotReader reader = new SnapshotReader(slot, caller);
            if (slot.tryTake(reader)) {
                return reader;
            }
        }
        String holders = Arrays.stream(slots)
                .map(ReaderSlot::holder)
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        throw new IllegalStateException("all " + slots.length + " readers are attached, at " + holders + "; close one"
                + (slots.length < limit
                        ? ", or allow more: maxReaders(" + (slots.length + 1) + ") of the service's builder"
                        : "; with windows this long, there can be no more"));
    }

    /** Returns the line of the application. Worlds of this project have a {@code newReader} of their own, which passes the call on. */
    private static String caller() {
        return StackWalker.getInstance()
                .walk(calls -> calls.map(StackWalker.StackFrame::toStackTraceElement)
                        .filter(call -> !call.getClassName().equals(SnapshotExchange.class.getName()))
                        .filter(call -> !call.getClassName().startsWith("dev.escapement.")
                                || !call.getMethodName().equals("newReader"))
                        .map(StackTraceElement::toString)
                        .findFirst()
                        .orElse("the start of a thread"));
    }
}
