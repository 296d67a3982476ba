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
 * Takes the events of each tick from an {@link InputRing}: those stamped up to its sampling time, ordered by time, then by sequence.
 *
 * <p>Later events wait in a heap as large as the ring. A tick takes at most as many events as fit the heap; the next tick takes the others
 * as late. While the heap is full of events that are not due, the sampler takes nothing from the ring, which fills and refuses events.
 *
 * <p>Events of a pause reach no tick, but their effects do. Levels keep their changes. The next tick gets events of the sampler's own for
 * senders that joined or left and for drags that ended.
 *
 * <p>Physics thread only. Allocates when senders join or leave, when it has more events than ever before, and, with
 * {@link #keepLateEvents}, for changes of levels in a pause.
 *
 * @see InputRing
 */
public final class InputSampler {

    private static final int ANY = -1;

    private record Change(int sender, InputKind kind, int code) {}

    private final InputRing ring;
    private final InputLevels levels = new InputLevels();
    private final InputFrame frame = new InputFrame(levels);
    private final EventPoller.Handler<InputEvent> store;

    // Each pooled event is in one of the three collections below or in the frame. The events that the sampler itself
    // creates are in the frame alone.
    private final PriorityQueue<InputEvent> waitingEvents = new PriorityQueue<>(InputSampler::byTimeThenSequence);
    private final PriorityQueue<InputEvent> lateEvents = new PriorityQueue<>(InputSampler::byTimeThenSequence);
    private final ArrayDeque<InputEvent> unusedEvents = new ArrayDeque<>();

    private int pooledCount;

    /** The last instant up to which the sampler took events, for a tick or in a pause. */
    private long previousSamplingNanos;

    private boolean hasSampled;

    /** The sampling time of the last tick. A pause does not change it. */
    private long lastTickNanos;

    private boolean hasTicked;

    private boolean keepsLate;

    /**
     * The changes of levels since the last tick after which no late event waited, each with its x, in their order. A late event that
     * happened before them must not undo them. Recorded only with {@link #keepsLate}.
     */
    private final Map<Change, Float> changes = new LinkedHashMap<>();

    /** Per sender: the earliest time of late events that a re-simulated tick may take. Filled only with {@link #keepsLate}. */
    private final Map<Integer, Long> joinedNanos = new HashMap<>();

    /** The senders whose drags the next tick must end, because no tick took the events that ended them. */
    private final TreeSet<Integer> endedDrags = new TreeSet<>();

    /**
     * The senders that have joined according to the events of ticks, ascending. Differs from the levels if senders joined or left in a
     * pause.
     */
    private int[] knownSenders = new int[0];

    /**
     * True if senders may have joined or left, or drags ended, in a pause. False in most ticks, so that these need not search for missing
     * events.
     */
    private boolean mayLackEvents;

    /**
     * The number of waiting events. Volatile for {@link #pending} on other threads; only the physics thread writes it; it orders nothing.
     */
    private volatile int waitingCount;

    /**
     * Creates the only sampler of a ring, with nothing held.
     *
     * @param ring the source of the events
     */
    public InputSampler(InputRing ring) {
        this.ring = ring;
        store = (event, sequence, endOfBatch) -> store(event, sequence - ring.abandoned());
    }

    /**
     * Keeps events that arrive after their tick has sampled: no tick takes them, and {@link #nextLate} returns them. If these exceed half
     * the ring's capacity, the next tick takes the earliest. Call it before the first sample.
     */
    public void keepLateEvents() {
        keepsLate = true;
    }

    /** {@return the earliest kept late event, null if there is none} */
    public @Nullable InputEvent nextLate() {
        return lateEvents.peek();
    }

    /**
     * Removes the event of {@link #nextLate}.
     *
     * @return the event, valid until the sampler takes another one from the ring
     * @throws java.util.NoSuchElementException if there is none
     */
    public InputEvent takeLate() {
        InputEvent event = lateEvents.remove();
        unusedEvents.add(event);
        waitingCount = countWaiting();
        return event;
    }

    /** Drops the event of {@link #nextLate}. No tick gets it, but its change of a level remains, as with an event of a pause. */
    public void dropLate() {
        applyUndelivered(takeLate());
        reapplyChanges(levels);
    }

    /**
     * Adopts the levels of re-simulated ticks, which had more input. Keeps changes of levels after these ticks.
     *
     * @param before the input of the last of these ticks when it first ran
     * @param now    the input of that tick after the re-simulation
     */
    public void adoptLevels(InputFrame before, RecordedInput now) {
        levels.visitChangesSince(before.levels(), now.levels()::set);
        reapplyChanges(now.levels());
        levels.copyFrom(now.levels());
        mayLackEvents = true;
    }

    /**
     * Begins with the levels of this process in another run. Call it before the first sample. Senders of that run do not join here: the
     * next tick gets an event that each has left, and their levels are dropped.
     *
     * @param past the input of a tick of that run
     */
    public void beginWith(InputFrame past) {
        levels.copyLocalFrom(past.levels());
        reportSendersSince(past);
        ring.senders.skipTo(levels.highest());
    }

    /**
     * Adds an event to the next tick for each sender that has joined or left since a tick, after a seek to that tick.
     *
     * @param past the input of that tick
     */
    public void reportSendersSince(InputFrame past) {
        setKnownSenders(past.levels());
    }

    /** Makes the next tick end the drag of any sender. Call it after a seek, or after a start with the state of another run. */
    public void endAnyDrag() {
        endedDrags.add(ANY);
        mayLackEvents = true;
    }

    private void setKnownSenders(InputLevels past) {
        mayLackEvents = true;
        if (!past.hasExactly(knownSenders)) {
            knownSenders = past.copyOfSenders();
        }
    }

    /**
     * Samples the input of a tick. Reuses the frame of the tick before.
     *
     * @param fromNanos     the start of this tick, an instant of the clock: when simulated time left the tick before
     * @param samplingNanos the tick's sampling time
     * @return the events stamped up to that time, each exactly once
     */
    public InputFrame sample(long fromNanos, long samplingNanos) {
        recycleFrame();
        frame.begin(samplingNanos - fromNanos);
        takeFromRing();
        // If a sender joins in this tick, its late events may be re-simulated from this instant on, but in no earlier
        // tick, because none has the join.
        long joinableNanos = hasTicked && lastTickNanos - fromNanos > 0 ? lastTickNanos : fromNanos;
        deliverMissing(fromNanos, joinableNanos);
        InputEvent event;
        while ((event = nextUpTo(samplingNanos)) != null) {
            boolean isLate = hasSampled && event.timeNanos() - previousSamplingNanos <= 0;
            event.setOffset(isLate ? 0 : Math.max(0, event.timeNanos() - fromNanos), isLate);
            deliver(event, joinableNanos);
        }
        if (keepsLate && lateEvents.isEmpty()) {
            changes.clear(); // not while late events wait: a late press must not undo a later release
        }
        if (mayLackEvents) {
            setKnownSenders(levels);
            mayLackEvents = false;
        }
        lastTickNanos = samplingNanos;
        hasTicked = true;
        endSample(samplingNanos);
        return frame;
    }

    /**
     * Takes the events that no tick gets, because time stands still or the run repeats a source log. Applies them to the levels, and passes
     * them to a listener or counts them as dropped. For a {@link DragInput#END} among them, the next tick gets an event of the sampler's
     * own.
     *
     * @param nowNanos the clock now
     * @param listener receives the events; null for none
     */
    public void drainWhilePaused(long nowNanos, InputRing.@Nullable PausedListener listener) {
        recycleFrame();
        takeFromRing();
        InputEvent event;
        while ((event = nextUpTo(nowNanos)) != null) {
            unusedEvents.add(event); // before the call of the listener, which may throw
            applyUndelivered(event);
            if (keepsLate) {
                recordChange(event);
            }
            if (listener == null) {
                ring.dropWhilePaused();
            } else {
                event.setOffset(0, false);
                waitingCount = countWaiting(); // before the call, because the listener may throw
                listener.happened(event, levels.all);
            }
        }
        endSample(nowNanos);
    }

    /**
     * Takes events out of the ring, which makes room there. The events wait in the sampler for their tick. Call it in slow motion, where
     * the next tick is far away, and before {@link #nextLate}.
     */
    public void drainRing() {
        recycleFrame();
        takeFromRing();
        waitingCount = countWaiting();
    }

    /**
     * Delivers an event for each join, leave and end of a drag in a pause. Call it before the tick delivers other events, because these may
     * come from the same senders.
     */
    private void deliverMissing(long fromNanos, long joinableNanos) {
        if (!mayLackEvents) {
            return;
        }
        InputEvent earliest = waitingEvents.peek();
        long nanos = hasSampled ? previousSamplingNanos : fromNanos;
        if (earliest != null && earliest.timeNanos() - nanos < 0) {
            nanos = earliest.timeNanos();
        }
        for (int sender : knownSenders) {
            if (!levels.has(sender)) {
                deliverOwn(sender, nanos, InputKind.SENDER_LEFT, 0, 0, joinableNanos);
            }
        }
        for (int i = 0; i < levels.count(); i++) {
            if (Arrays.binarySearch(knownSenders, levels.sender(i)) < 0) {
                deliverOwn(levels.sender(i), nanos, InputKind.SENDER_JOINED, 0, 0, joinableNanos);
            }
        }
        boolean any = endedDrags.contains(ANY);
        for (int sender : endedDrags) {
            if (any ? sender == ANY : sender == 0 || levels.has(sender)) { // else something else ends this drag
                int endingSender = Math.max(0, sender);
                deliverOwn(endingSender, nanos, InputKind.APPLICATION, DragInput.END, any ? 1 : 0, joinableNanos);
            }
        }
        endedDrags.clear();
    }

    private void deliverOwn(int sender, long nanos, InputKind kind, int code, float x, long joinableNanos) {
        InputEvent event = new InputEvent();
        event.set(sender, nanos, kind, code, x, 0);
        event.setSequence(InputEvent.OWN);
        event.setOffset(0, hasSampled);
        deliver(event, joinableNanos);
    }

    private void deliver(InputEvent event, long joinableNanos) {
        if (keepsLate && event.kind() == InputKind.SENDER_JOINED) {
            joinedNanos.put(event.sender(), joinableNanos);
        }
        apply(event);
        if (!changes.isEmpty()) {
            recordChange(event);
        }
        frame.add(event);
    }

    private void apply(InputEvent event) {
        levels.apply(event);
        mayLackEvents |= event.kind().isOfSender();
        if (event.kind() == InputKind.SENDER_LEFT) {
            joinedNanos.remove(event.sender());
            if (event.sequence() != InputEvent.OWN) { // else the sender's number is free already, perhaps in use again
                ring.senders.free(event.sender());
            }
        }
    }

    /** Applies an event that no tick gets. If it ends a drag, the next tick ends that drag, even if its sender has joined again since. */
    private void applyUndelivered(InputEvent event) {
        apply(event);
        if (DragInput.isEnd(event) || event.kind() == InputKind.SENDER_LEFT) {
            endedDrags.add(event.sender());
            mayLackEvents = true;
        }
    }

    private void recordChange(InputEvent event) {
        if (event.kind().hasLevel()) {
            Change change = new Change(event.sender(), event.kind(), event.code());
            changes.remove(change);
            changes.put(change, event.x());
        }
    }

    /** Applies the recorded changes again, so that a late event from before them does not undo them. */
    private void reapplyChanges(InputLevels to) {
        changes.forEach((change, x) -> to.apply(change.sender, change.kind, change.code, x));
    }

    private void recycleFrame() {
        for (int i = 0; i < frame.size(); i++) {
            if (frame.event(i).sequence() != InputEvent.OWN) {
                unusedEvents.add(frame.event(i));
            }
        }
        frame.clear();
    }

    private int countWaiting() {
        return keepsLate ? waitingEvents.size() + lateEvents.size() : waitingEvents.size();
    }

    private void takeFromRing() {
        boolean mayHaveMore = true;
        while (mayHaveMore && hasRoom()) {
            mayHaveMore = ring.poll(store);
        }
    }

    private @Nullable InputEvent nextUpTo(long nanos) {
        InputEvent earliest = waitingEvents.peek();
        return earliest != null && earliest.timeNanos() - nanos <= 0 ? waitingEvents.poll() : null;
    }

    private void endSample(long nanos) {
        previousSamplingNanos = nanos;
        hasSampled = true;
        waitingCount = countWaiting();
    }

    /**
     * {@return the number of accepted events that belong to no tick yet} Exact while nobody offers and no tick runs. Any thread may ask.
     */
    public long pending() {
        return ring.waiting() + waitingCount;
    }

    /**
     * {@return the number of events taken out of the ring, including those dropped in a pause} Events stamped up to the sampling time were
     * in this sample or an earlier one; events stamped later wait.
     */
    public long taken() {
        return ring.taken();
    }

    private boolean store(InputEvent event, long sequence) {
        InputEvent copy = takeUnused();
        copy.copyFrom(event, sequence);
        boolean isLate = keepsLate && hasTicked && event.timeNanos() - lastTickNanos <= 0 && mayResimulate(copy);
        (isLate ? lateEvents : waitingEvents).add(copy);
        // Late events must not fill the pool, because other events need room there, too. In a pause, for example,
        // nobody takes late events.
        if (lateEvents.size() > ring.capacity() / 2) {
            waitingEvents.add(lateEvents.remove());
        }
        return hasRoom();
    }

    private boolean hasRoom() {
        return pooledCount < ring.capacity() || !unusedEvents.isEmpty();
    }

    private InputEvent takeUnused() {
        if (!unusedEvents.isEmpty()) {
            return unusedEvents.remove();
        }
        pooledCount++;
        return new InputEvent();
    }

    /**
     * Returns whether a re-simulated tick may take an event. It may not take a join or leave, which come once, nor an event of a sender
     * whose join is in no tick. An event stamped before its sender joined moves to just after the join, so that it stays before the
     * sender's later events.
     */
    private boolean mayResimulate(InputEvent event) {
        if (event.sender() == 0) {
            return true;
        }
        Long sinceNanos = joinedNanos.get(event.sender());
        if (sinceNanos == null || event.kind().isOfSender()) {
            return false;
        }
        if (event.timeNanos() - sinceNanos <= 0) {
            event.setTime(sinceNanos + 1);
        }
        return true;
    }

    private static int byTimeThenSequence(InputEvent a, InputEvent b) {
        long difference = a.timeNanos() - b.timeNanos();
        return difference != 0 ? Long.signum(difference) : Long.compare(a.sequence(), b.sequence());
    }
}
