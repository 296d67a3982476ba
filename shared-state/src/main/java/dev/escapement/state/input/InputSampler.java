package dev.escapement.state.input;

import com.lmax.disruptor.EventPoller;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes the events of each tick from an {@link InputRing}: those stamped up to its sampling time, ordered by time, then by sequence. Later
 * ones wait here, in a heap as large as the ring. A tick takes at most one heap of events; the next tick takes the others as late.
 *
 * <p>Physics thread only. Allocates only when senders join or leave. Backpressure: while the heap is full of events that are not due, nothing is
 * taken from the ring; it fills, and refuses events.
 *
 * @see InputRing
 */
public final class InputSampler {

    private final InputRing ring;
    private final SenderLevels levels = new SenderLevels();
    private final InputFrame frame;
    private final PriorityQueue<InputEvent> waiting;
    private final ArrayDeque<InputEvent> unused;
    private final EventPoller.Handler<InputEvent> intoHeap;

    /** When input was sampled or drained last. */
    private long previousSamplingNanos;

    private boolean sampledBefore;

    /** Events of ticks that have sampled already, if these are kept. */
    private PriorityQueue<InputEvent> late = new PriorityQueue<>(1, InputSampler::byTimeThenSequence);

    private boolean keepsLate;

    /** When input was sampled for a tick last: unlike {@link #previousSamplingNanos}, pauses do not count. */
    private long lastTickNanos;

    private boolean tickedBefore;

    /** The end of a drag for the next tick, because a body must not stay held. An end that was offered was dropped, and counted so. */
    private final InputEvent dragEnd = new InputEvent();

    private boolean dragEnded;

    /** The senders that have joined by the events of ticks, ascending. Others joined or left while no tick took that. */
    private int[] known = new int[0];

    private int knownCount;

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
        int capacity = ring.capacity();
        frame = new InputFrame(capacity, levels);
        waiting = new PriorityQueue<>(capacity, InputSampler::byTimeThenSequence);
        unused = new ArrayDeque<>(capacity + 1);
        for (int i = 0; i < capacity; i++) {
            unused.add(new InputEvent());
        }
    }

    /**
     * Keeps events that come after the tick that they belong to: no tick takes them, and {@link #nextLate} has them. Call it before the
     * first sample.
     */
    public void keepLate() {
        late = new PriorityQueue<>(ring.capacity(), InputSampler::byTimeThenSequence);
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
        InputEvent event = takeLate();
        apply(event);
        keepDragEnd(event);
    }

    /**
     * Goes on after ticks that ran again with more input. Levels that have changed since then stay changed.
     *
     * @param before the input that the last of them had
     * @param now    that which it has now
     */
    public void continueAfter(InputFrame before, RecordedInput now) {
        levels.reportFrom(before.levels(), now::level);
        levels.copyFrom(now.frame().levels());
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

    private void know(SenderLevels senders) {
        if (known.length < senders.count()) {
            known = new int[senders.count()];
        }
        knownCount = senders.count();
        for (int i = 0; i < knownCount; i++) {
            known[i] = senders.sender(i);
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
        levels.begin();
        if (dragEnded && !sampledBefore) {
            dragEnd.stamp(fromNanos);
        }
        if (dragEnded
                && !unused.isEmpty()
                && dragEnd.timeNanos() - samplingNanos <= 0) { // never waits: it is not pending
            dragEnded = false;
            waiting.add(copyOf(dragEnd, InputEvent.OWN));
        }
        takeFromRing();
        // Afterwards, and for good: an event of a sender comes after its join.
        long joinableNanos = tickedBefore && lastTickNanos - fromNanos > 0 ? lastTickNanos : fromNanos;
        addUnknown(fromNanos, joinableNanos);
        InputEvent event;
        while ((event = nextUpTo(samplingNanos)) != null) {
            boolean isLate = sampledBefore && event.timeNanos() - previousSamplingNanos <= 0;
            event.place(isLate ? 0 : Math.max(0, event.timeNanos() - fromNanos), isLate);
            take(event, joinableNanos);
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
        levels.begin(); // or senders that come and go in a long pause would pile up
        takeFromRing();
        InputEvent event;
        while ((event = nextUpTo(nowNanos)) != null) {
            unused.add(event); // first, because the listener may throw
            apply(event);
            keepDragEnd(event);
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

    /** Adds an event for each sender that has joined or left while no tick took that: first, because others of these senders may follow. */
    private void addUnknown(long fromNanos, long joinableNanos) {
        if (knownCount == levels.count() && Arrays.equals(known, 0, knownCount, levels.joined(), 0, knownCount)) {
            return;
        }
        InputEvent earliest = waiting.peek();
        long nanos = sampledBefore ? previousSamplingNanos : fromNanos;
        if (earliest != null && earliest.timeNanos() - nanos < 0) {
            nanos = earliest.timeNanos();
        }
        for (int i = 0; i < knownCount; i++) {
            if (!levels.has(known[i])) {
                addOwn(known[i], nanos, InputKind.SENDER_LEFT, joinableNanos);
            }
        }
        for (int i = 0; i < levels.count(); i++) {
            if (Arrays.binarySearch(known, 0, knownCount, levels.sender(i)) < 0) {
                addOwn(levels.sender(i), nanos, InputKind.SENDER_JOINED, joinableNanos);
            }
        }
    }

    private void addOwn(int sender, long nanos, InputKind kind, long joinableNanos) {
        InputEvent event = new InputEvent();
        event.set(sender, nanos, kind, 0, 0, 0);
        event.number(InputEvent.OWN);
        event.place(0, sampledBefore);
        take(event, joinableNanos);
    }

    private void take(InputEvent event, long joinableNanos) {
        if (keepsLate && event.kind() == InputKind.SENDER_JOINED) {
            joinedNanos.put(event.sender(), joinableNanos);
        }
        if (event.sequence() == InputEvent.OWN && DragInput.isEnd(event) && !levels.has(event.sender())) {
            event.of(0); // its sender has left, or no tick has seen it: a tick may ask for the levels of each sender
        }
        apply(event);
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

    /** Lets the next tick end a drag if an event that was dropped does. */
    private void keepDragEnd(InputEvent event) {
        if (DragInput.isEnd(event)) {
            dragEnd.copyFrom(event, InputEvent.OWN);
            dragEnded = true;
        }
    }

    /** Lets the next tick end a drag, whose ever it is: the simulation went back, or began with the state of another run. */
    public void endDrag() {
        long nanos = tickedBefore ? lastTickNanos : previousSamplingNanos;
        dragEnd.set(0, nanos, InputKind.APPLICATION, DragInput.END, 0, 0);
        dragEnded = true;
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
            if (waiting.size() + late.size() + unused.size()
                    < ring.capacity()) { // a sampler's own event came in addition
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
        while (mayHaveMore && !unused.isEmpty()) {
            mayHaveMore = ring.poll(intoHeap);
        }
    }

    private @Nullable InputEvent nextUpTo(long nanos) {
        InputEvent earliest = waiting.peek();
        return earliest != null && earliest.timeNanos() - nanos <= 0 ? waiting.poll() : null;
    }

    private void endSample(long nanos) {
        if (!sampledBefore) {
            dragEnd.stamp(nanos); // if that is to come, it has no time yet
        }
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
        InputEvent copy = copyOf(event, sequence);
        boolean isLate = keepsLate && tickedBefore && event.timeNanos() - lastTickNanos <= 0 && mayRunAgain(copy);
        (isLate ? late : waiting).add(copy);
        return !unused.isEmpty();
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

    private InputEvent copyOf(InputEvent event, long sequence) {
        InputEvent copy = unused.remove();
        copy.copyFrom(event, sequence);
        return copy;
    }

    private static int byTimeThenSequence(InputEvent a, InputEvent b) {
        long difference = a.timeNanos() - b.timeNanos();
        return difference != 0 ? Long.signum(difference) : Long.compare(a.sequence(), b.sequence());
    }
}
