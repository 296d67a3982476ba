package dev.escapement.state.input;

import com.lmax.disruptor.EventPoller;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes the events of each tick from an {@link InputRing}: those stamped up to its sampling time, ordered by time, then by sequence.
 *
 * <p>Later events wait in a heap as large as the ring. A tick takes at most as many events as fit the heap, and again as many for each
 * pause within it; the next tick takes the others as late. While the heap is full of events that are not due, the sampler takes nothing
 * from the ring, which fills and refuses events.
 *
 * <p>Events of a pause reach no tick, but their effects do. Levels keep their changes, and the next tick gets {@linkplain OwedEvents events
 * of the sampler's own}. Without a listener, messages wait for the next tick ({@code InputKind.waitsInPause}), because nothing else has
 * their effects.
 *
 * <p>Physics thread only. Allocates when it has more events than ever before, and on first use of {@link OwedEvents} and {@link LateInput}.
 *
 * @see InputRing
 */
public final class InputSampler {

    private final InputRing ring;
    final int capacity;

    private final InputLevels levels = new InputLevels();
    private final InputFrame frame = new InputFrame(levels);
    private final EventPoller.Handler<InputEvent> store = (event, sequence, endOfBatch) -> store(event);

    // Each pooled event is in one of the three collections below, is late, or is in the frame. The events that the
    // sampler itself creates are in the frame alone.
    final PriorityQueue<InputEvent> waitingEvents = new PriorityQueue<>(InputSampler::byTimeThenSequence);
    final ArrayDeque<InputEvent> unusedEvents = new ArrayDeque<>();

    /** The events of a pause that wait for the next tick, although they were due. */
    private final ArrayDeque<InputEvent> pausedEvents = new ArrayDeque<>();

    private int pooledCount;

    private long taken;

    /** The last instant up to which the sampler took events, for a tick or in a pause. */
    private long sampledNanos;

    private boolean hasSampled;

    /** The number of events that the frame has of a tick since a pause within it. They take no room from the events of the pause. */
    private int partSize;

    /** Null if the next tick gets no events of the sampler's own, as most ticks. */
    private @Nullable OwedEvents owedEvents;

    /** Null unless late events are kept. */
    private @Nullable LateInput lateInput;

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
        capacity = ring.capacity;
    }

    /**
     * Samples the input of a tick. Reuses the frame of the tick before.
     *
     * @param fromNanos     the start of this tick, an instant of the clock: when simulated time left the tick before
     * @param samplingNanos the tick's sampling time
     * @return the events stamped up to that time, each exactly once
     */
    public InputFrame sample(long fromNanos, long samplingNanos) {
        fillFrame(fromNanos, samplingNanos);
        partSize = 0;
        frame.lengthNanos = samplingNanos - fromNanos;
        if (lateInput != null) {
            lateInput.ticked(samplingNanos);
        }
        endSample(samplingNanos);
        return frame;
    }

    private void fillFrame(long fromNanos, long samplingNanos) {
        recycleFrame();
        takeFromRing();
        if (!pausedEvents.isEmpty()) {
            endPause();
        }
        if (owedEvents != null) {
            deliverOwed(owedEvents, fromNanos);
        }
        InputEvent event;
        while ((event = nextUpTo(samplingNanos)) != null) {
            deliver(event, fromNanos);
        }
    }

    private void recycleFrame() {
        if (partSize == 0) { // else the tick that takes these events has not run
            frame.recycle(unusedEvents);
        }
    }

    /** Takes events out of the ring, as many as the heap has room for. */
    private void takeFromRing() {
        boolean mayHaveMore = true;
        while (mayHaveMore && hasRoom()) {
            mayHaveMore = ring.poll(store);
        }
    }

    private boolean store(InputEvent event) {
        InputEvent copy = unusedEvents.poll();
        if (copy == null) {
            copy = new InputEvent();
            pooledCount++;
        }
        copy.copyFrom(event);
        copy.sequence = taken++; // not the sequence of the ring, which counts abandoned entries
        if (lateInput == null || !lateInput.keep(copy)) {
            waitingEvents.add(copy);
        }
        return hasRoom();
    }

    private boolean hasRoom() {
        return pooledCount - partSize < capacity || !unusedEvents.isEmpty();
    }

    private @Nullable InputEvent nextUpTo(long nanos) {
        InputEvent earliest = waitingEvents.peek();
        return earliest != null && earliest.timeNanos - nanos <= 0 ? waitingEvents.poll() : null;
    }

    private void deliver(InputEvent event, long fromNanos) {
        event.setOffset(fromNanos, hasSampled && event.timeNanos - sampledNanos <= 0);
        if (partSize > 0 && event.timeNanos - frame.event(partSize - 1).timeNanos < 0) {
            event.timeNanos = frame.event(partSize - 1).timeNanos; // the events of a frame have ascending times
        }
        apply(event);
        if (lateInput != null) {
            lateInput.delivered(event, fromNanos);
        }
        frame.add(event);
    }

    private void apply(InputEvent event) {
        levels.apply(event);
        if (event.kind == InputKind.SENDER_LEFT && event.sequence != InputEvent.OWN) { // an own event frees no number
            ring.senders.free(event.sender);
        }
    }

    private void endSample(long nanos) {
        sampledNanos = nanos;
        hasSampled = true;
        countWaiting();
    }

    void countWaiting() {
        waitingCount = waitingEvents.size()
                + pausedEvents.size()
                + partSize
                + (lateInput == null ? 0 : lateInput.events.size());
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
        return taken;
    }

    /**
     * Takes events out of the ring, which makes room there. The events wait in the sampler for their tick. Call it in slow motion, where
     * the next tick is far away, and before {@link LateInput#next}.
     */
    public void drainRing() {
        recycleFrame();
        takeFromRing();
        countWaiting();
    }

    // Pauses: events that no tick takes, and ticks that a pause stops.

    /**
     * Samples the input of a tick so far, because time stops within that tick. The next {@link #sample} adds the rest. Its levels have the
     * changes before, in and after the pause, in their order.
     *
     * @param nanos when time stops, an instant of the clock
     */
    public void samplePart(long nanos) {
        fillFrame(nanos, nanos);
        partSize = frame.size();
        endSample(nanos);
    }

    /**
     * Takes the events that no tick gets, because time stands still or the run repeats a source log. Applies them to the levels, and passes
     * them to a listener, keeps them for the next tick, or counts them as dropped.
     *
     * @param nowNanos    the clock now
     * @param hasNextTick false if no call of {@link #sample} follows, so that no event waits for it
     * @param listener    receives the events; null for none
     */
    public void drainWhilePaused(long nowNanos, boolean hasNextTick, InputRing.@Nullable PausedListener listener) {
        recycleFrame();
        takeFromRing();
        InputEvent event;
        while ((event = nextUpTo(nowNanos)) != null) {
            boolean waits = hasNextTick && listener == null && event.kind.waitsInPause(event.code);
            (waits ? pausedEvents : unusedEvents).add(event); // before the call of the listener, which may throw
            applyUndelivered(event);
            if (lateInput != null) {
                lateInput.undelivered(event);
            }
            if (waits) {
                ring.crowd(pausedEvents.size());
            } else if (listener == null) {
                ring.dropWhilePaused();
            } else {
                event.setOffset(event.timeNanos, false); // the offset 0: no tick has the event
                countWaiting(); // before the call, because the listener may throw
                listener.happened(event, levels.all);
            }
        }
        endSample(nowNanos);
    }

    /** Makes events of a pause due, except those of senders that have left meanwhile: no tick may get these. */
    private void endPause() {
        InputEvent event;
        while ((event = pausedEvents.poll()) != null) {
            boolean isThere = levels.find(event.sender) != null;
            (isThere ? waitingEvents : unusedEvents).add(event);
            if (!isThere) {
                ring.dropWhilePaused();
            }
        }
        ring.crowd(0);
    }

    void applyUndelivered(InputEvent event) {
        apply(event);
        if (event.kind.isOwed(event.code)) {
            owedEvents().add(event);
        }
    }

    /** Delivers the owed events before all others, because these may come from the same senders. */
    private void deliverOwed(OwedEvents due, long fromNanos) {
        owedEvents = null;
        InputEvent earliest = waitingEvents.peek();
        long nanos = hasSampled ? sampledNanos : fromNanos;
        if (earliest != null && earliest.timeNanos - nanos < 0) {
            nanos = earliest.timeNanos;
        }
        for (InputEvent event : due.events(levels, nanos)) {
            deliver(event, fromNanos);
        }
    }

    // ---- methods that only some runs need

    /** {@return the events of the sampler's own that the next tick gets} Valid until that tick. */
    public OwedEvents owedEvents() {
        if (owedEvents == null) {
            owedEvents = new OwedEvents();
        }
        return owedEvents;
    }

    /**
     * Keeps events that arrive after their tick has sampled, so that the next tick does not take them. Call it before the first sample.
     *
     * @return these events
     */
    public LateInput keepLateEvents() {
        lateInput = new LateInput(this, levels);
        return lateInput;
    }

    /**
     * Begins with the levels of this process in another run. Call it before the first sample. Senders of that run do not join here: the
     * next tick gets an event that each has left, and their levels are dropped.
     *
     * @param past the input of a tick of that run
     */
    public void beginWith(InputFrame past) {
        levels.copyLocalFrom(past.levels);
        reportSendersSince(past);
        ring.senders.skipTo(levels.highest);
    }

    /**
     * Adds an event to the next tick for each sender that has joined or left since a tick, after a seek to that tick. Drops the events of a
     * tick that a pause has stopped, because the seek has undone that tick.
     *
     * @param past the input of the sought tick
     */
    public void reportSendersSince(InputFrame past) {
        for (int i = 0; i < partSize; i++) {
            if (frame.event(i).sequence != InputEvent.OWN) {
                ring.dropWhilePaused();
            }
        }
        partSize = 0;
        countWaiting();
        owedEvents().changeSenders(past.levels, levels);
    }

    static int byTimeThenSequence(InputEvent a, InputEvent b) {
        long difference = a.timeNanos - b.timeNanos;
        return difference != 0 ? Long.signum(difference) : Long.compare(a.sequence, b.sequence);
    }
}
