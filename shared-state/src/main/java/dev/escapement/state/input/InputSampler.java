package dev.escapement.state.input;

import com.lmax.disruptor.EventPoller;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the events of each tick from an {@link InputRing}: those stamped up to its sampling time, ordered by time, then by sequence. Later
 * ones wait here, in a heap that grows as large as the ring. A tick takes at most one heap of events; the next tick takes the others as
 * late.
 *
 * <p>Physics thread only. Allocates only when senders join or leave, or more events are here than ever before. Backpressure: while the heap
 * is full of events that are not due, nothing is taken from the ring; it fills, and refuses events.
 *
 * @see InputRing
 */
public final class InputSampler {

    private record Change(int sender, InputKind kind, int code) {}

    private final InputRing ring;
    private final InputLevels levels = new InputLevels();
    private final InputFrame frame = new InputFrame(levels);
    private final PriorityQueue<InputEvent> waiting = new PriorityQueue<>(InputSampler::byTimeThenSequence);

    /** The events that are neither in the heap nor in the frame. */
    private final ArrayDeque<InputEvent> unused = new ArrayDeque<>();

    /** How many events there are, at most the ring's capacity. The sampler's own are not counted. */
    private int made;

    private final EventPoller.Handler<InputEvent> intoHeap;

    /** When input was sampled or drained last. */
    private long previousSamplingNanos;

    private boolean sampledBefore;

    /** Events of ticks that have sampled already, if these are kept. */
    private final PriorityQueue<InputEvent> late = new PriorityQueue<>(InputSampler::byTimeThenSequence);

    private boolean keepsLate;

    /** What changed a level since the last tick, in its order, and its x. Only if late events are kept: these happened before it. */
    private final Map<Change, Float> changes = new LinkedHashMap<>();

    /** When input was sampled for a tick last: unlike {@link #previousSamplingNanos}, pauses do not count. */
    private long lastTickNanos;

    private boolean tickedBefore;

    /** Stands for the drag of any sender. */
    private static final int ANY = -1;

    /** Whose drags the next tick ends, because no tick took what ends them, and a body must not stay held. */
    private final TreeSet<Integer> endedDrags = new TreeSet<>();

    /** The senders that have joined by the events of ticks, ascending. Others joined or left while no tick took that. */
    private int[] known = new int[0];

    /** From when on late events of a sender may be taken by ticks that run again: only after it joined. Only if late events are kept. */
    private final Map<Integer, Long> joinedNanos = new HashMap<>();

    // The heap's size for other threads to read; only the physics thread writes it, nothing is ordered by it.
    private volatile int waitingCount;

    /**
     * Creates the only sampler of a ring, with nothing held.
     *
     * @param ring where the events come from
     */
    public InputSampler(InputRing ring) {
        this.ring = ring;
        intoHeap = (event, sequence, endOfBatch) -> keep(event, sequence - ring.abandoned());
    }

    /**
     * Keeps events that come after the tick that they belong to: no tick takes them, and {@link #nextLate} has them. At most half of the
     * sampler's places are for them; if more come, the next tick takes the earliest. Call it before the first sample.
     */
    public void keepLate() {
        keepsLate = true;
    }

    /** {@return the earliest event that has come too late for its tick, if those are kept; null if there is none} */
    public @Nullable InputEvent nextLate() {
        return late.peek();
    }

    /**
     * {@return the event that {@link #nextLate} has returned, which is taken out; valid until another is taken from the ring}
     *
     * @throws java.util.NoSuchElementException if there is none
     */
    public InputEvent takeLate() {
        InputEvent event = late.remove();
        unused.add(event);
        waitingCount = countWaiting();
        return event;
    }

    /** Drops the event that {@link #nextLate} has returned, like one that happens while time stands still: its change of a level remains. */
    public void dropLate() {
        applyUntaken(takeLate());
        applyChanges(levels);
    }

    /**
     * Goes on after ticks that ran again with more input. Levels that have changed since then stay changed.
     *
     * @param before the input that the last of them had
     * @param now    that which it has now
     */
    public void continueAfter(InputFrame before, RecordedInput now) {
        levels.visitChangesSince(before.levels(), now.levels()::set);
        applyChanges(now.levels());
        levels.copyFrom(now.levels());
    }

    /**
     * Begins with what this process held elsewhere, before the first sample. The senders that had joined there stay there: the next tick
     * gets an event for each that it has left, and nothing that they held is held here.
     *
     * @param frame the input of a tick, of which the levels are taken
     */
    public void hold(InputFrame frame) {
        levels.copyOwnFrom(frame.levels());
        know(frame.levels());
        ring.senders.skipTo(levels.highest());
    }

    /**
     * Goes on after the run went back: the next tick gets an event for each sender that joined or left since then.
     *
     * @param past the input of the tick to which it went back
     */
    public void continueFrom(InputFrame past) {
        know(past.levels());
    }

    private void know(InputLevels senders) {
        if (!senders.hasExactly(known)) {
            known = senders.copyOfSenders();
        }
    }

    /**
     * Samples the input of a tick. Reuses the frame of the tick before.
     *
     * @param fromNanos     the start of this tick, an instant of the clock: when simulated time passed the tick before
     * @param samplingNanos the tick's sampling time
     * @return the events stamped up to that time, each exactly once
     */
    public InputFrame sample(long fromNanos, long samplingNanos) {
        takeBack();
        frame.begin(samplingNanos - fromNanos);
        takeFromRing();
        // Afterwards, and for good: an event of a sender comes after its join.
        long joinableNanos = tickedBefore && lastTickNanos - fromNanos > 0 ? lastTickNanos : fromNanos;
        addUntaken(fromNanos, joinableNanos);
        InputEvent event;
        while ((event = nextUpTo(samplingNanos)) != null) {
            boolean isLate = sampledBefore && event.timeNanos() - previousSamplingNanos <= 0;
            event.place(isLate ? 0 : Math.max(0, event.timeNanos() - fromNanos), isLate);
            take(event, joinableNanos);
        }
        if (late.isEmpty()) {
            changes.clear(); // otherwise a late press would undo the release that followed it
        }
        know(levels);
        lastTickNanos = samplingNanos;
        tickedBefore = true;
        endSample(samplingNanos);
        return frame;
    }

    /**
     * Takes the events that no tick gets, because simulated time stands still or another run is followed: applies them to the levels, and
     * passes them to a listener or counts them as dropped. A {@link DragInput#END} among them is replaced.
     *
     * @param nowNanos the clock now
     * @param listener gets the events; null for none
     */
    public void drainWhilePaused(long nowNanos, InputRing.@Nullable PausedListener listener) {
        takeBack();
        takeFromRing();
        InputEvent event;
        while ((event = nextUpTo(nowNanos)) != null) {
            unused.add(event); // first, because the listener may throw
            applyUntaken(event);
            if (keepsLate) {
                keepChange(event);
            }
            if (listener == null) {
                ring.dropWhilePaused();
            } else {
                event.place(0, false);
                waitingCount = countWaiting(); // the listener may throw
                listener.happened(event, levels.all);
            }
        }
        endSample(nowNanos);
    }

    /** Adds an event for what no tick took: who joined or left, and ends of drags. First, because others of these senders may follow. */
    private void addUntaken(long fromNanos, long joinableNanos) {
        if (endedDrags.isEmpty() && levels.hasExactly(known)) {
            return;
        }
        InputEvent earliest = waiting.peek();
        long nanos = sampledBefore ? previousSamplingNanos : fromNanos;
        if (earliest != null && earliest.timeNanos() - nanos < 0) {
            nanos = earliest.timeNanos();
        }
        for (int sender : known) {
            if (!levels.has(sender)) {
                addOwn(sender, nanos, InputKind.SENDER_LEFT, 0, 0, joinableNanos);
            }
        }
        for (int i = 0; i < levels.count(); i++) {
            if (Arrays.binarySearch(known, levels.sender(i)) < 0) {
                addOwn(levels.sender(i), nanos, InputKind.SENDER_JOINED, 0, 0, joinableNanos);
            }
        }
        boolean any = endedDrags.contains(ANY);
        for (int sender : endedDrags) {
            if (any ? sender == ANY : sender == 0 || levels.has(sender)) { // the drag of one that has left has ended
                addOwn(Math.max(0, sender), nanos, InputKind.APPLICATION, DragInput.END, any ? 1 : 0, joinableNanos);
            }
        }
        endedDrags.clear();
    }

    private void addOwn(int sender, long nanos, InputKind kind, int code, float x, long joinableNanos) {
        InputEvent event = new InputEvent();
        event.set(sender, nanos, kind, code, x, 0);
        event.number(InputEvent.OWN);
        event.place(0, sampledBefore);
        take(event, joinableNanos);
    }

    private void take(InputEvent event, long joinableNanos) {
        if (keepsLate && event.kind() == InputKind.SENDER_JOINED) {
            joinedNanos.put(event.sender(), joinableNanos);
        }
        apply(event);
        if (!changes.isEmpty()) {
            keepChange(event);
        }
        frame.add(event);
    }

    private void apply(InputEvent event) {
        levels.apply(event);
        if (event.kind() == InputKind.SENDER_LEFT) {
            joinedNanos.remove(event.sender());
            if (event.sequence() != InputEvent.OWN) { // or the number was freed before, and may have joined again
                ring.senders.free(event.sender());
            }
        }
    }

    /** Applies an event that no tick gets. The next tick ends a drag that it ends: also that of one that leaves, and joins again. */
    private void applyUntaken(InputEvent event) {
        apply(event);
        if (DragInput.isEnd(event) || event.kind() == InputKind.SENDER_LEFT) {
            endedDrags.add(event.sender());
        }
    }

    /** Keeps a change of a level, as the last one. */
    private void keepChange(InputEvent event) {
        InputKind kind = event.kind();
        if (kind != InputKind.APPLICATION && kind != InputKind.POINTER_MOVED && !kind.isOfSender()) {
            Change change = new Change(event.sender(), kind, event.code());
            changes.remove(change);
            changes.put(change, event.x());
        }
    }

    /** Makes the changes in a pause, and those after it, again after a late event. */
    private void applyChanges(InputLevels to) {
        changes.forEach((change, x) -> to.apply(change.sender, change.kind, change.code, x));
    }

    /** Lets the next tick end the drag of any sender: the simulation went back, or began with the state of another run. */
    public void endDrag() {
        endedDrags.add(ANY);
    }

    /**
     * Makes room in the ring while, in slow motion, the next tick is far away, or before it is looked for late events. The events wait
     * here for the tick that they belong to.
     */
    public void takeAhead() {
        takeBack();
        takeFromRing();
        waitingCount = countWaiting();
    }

    /** Takes the events of the tick before back: it has ended. */
    private void takeBack() {
        for (int i = 0; i < frame.size(); i++) {
            if (frame.event(i).sequence() != InputEvent.OWN) {
                unused.add(frame.event(i));
            }
        }
        frame.clear();
    }

    private int countWaiting() {
        return waiting.size() + late.size();
    }

    private void takeFromRing() {
        boolean mayHaveMore = true;
        while (mayHaveMore && hasRoom()) {
            mayHaveMore = ring.poll(intoHeap);
        }
    }

    private @Nullable InputEvent nextUpTo(long nanos) {
        InputEvent earliest = waiting.peek();
        return earliest != null && earliest.timeNanos() - nanos <= 0 ? waiting.poll() : null;
    }

    private void endSample(long nanos) {
        previousSamplingNanos = nanos;
        sampledBefore = true;
        waitingCount = countWaiting();
    }

    /**
     * {@return how many events were accepted but belong to no tick yet} Exact while nothing is offered and no tick runs. Any thread may
     * ask.
     */
    public long pending() {
        return ring.waiting() + waitingCount;
    }

    /**
     * {@return how many events were taken out of the ring so far, including those that were dropped while paused} Those stamped up to the
     * sampling time were in this sample or an earlier one; those stamped later wait.
     */
    public long taken() {
        return ring.taken();
    }

    private boolean keep(InputEvent event, long sequence) {
        InputEvent copy = takeUnused();
        copy.copyFrom(event, sequence);
        boolean isLate = keepsLate && tickedBefore && event.timeNanos() - lastTickNanos <= 0 && mayRunAgain(copy);
        (isLate ? late : waiting).add(copy);
        if (late.size() > ring.capacity() / 2) { // nothing takes them, as in a pause: the others need places
            waiting.add(late.remove());
        }
        return hasRoom();
    }

    private boolean hasRoom() {
        return !unused.isEmpty() || made < ring.capacity();
    }

    private InputEvent takeUnused() {
        if (!unused.isEmpty()) {
            return unused.remove();
        }
        made++;
        return new InputEvent();
    }

    /**
     * Whether a tick that has sampled may take an event: not that a sender joined or left, which comes once, nor one of a sender that no
     * tick knows. What was stamped before the tick in which its sender joined moves to just after that, so it stays before later ones.
     */
    private boolean mayRunAgain(InputEvent event) {
        if (event.sender() == 0) {
            return true;
        }
        Long sinceNanos = joinedNanos.get(event.sender());
        if (sinceNanos == null || event.kind().isOfSender()) {
            return false;
        }
        if (event.timeNanos() - sinceNanos <= 0) {
            event.stamp(sinceNanos + 1);
        }
        return true;
    }

    private static int byTimeThenSequence(InputEvent a, InputEvent b) {
        long difference = a.timeNanos() - b.timeNanos();
        return difference != 0 ? Long.signum(difference) : Long.compare(a.sequence(), b.sequence());
    }
}
