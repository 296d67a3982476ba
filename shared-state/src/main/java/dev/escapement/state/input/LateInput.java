package dev.escapement.state.input;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Input that arrived after its tick had sampled, kept for a re-simulation of that tick.
 *
 * <p>If late events exceed half the ring's capacity, the next tick takes the earliest.
 *
 * <p>Physics thread only. Allocates when senders join or leave, and for changes of levels in a pause.
 *
 * @see InputSampler#keepLateEvents()
 */
public final class LateInput {

    private record Change(int sender, InputKind kind, int code) {}

    private final InputSampler sampler;
    private final InputLevels levels;

    final PriorityQueue<InputEvent> events = new PriorityQueue<>(InputSampler::byTimeThenSequence);

    /**
     * The changes of levels since the last tick after which no late event waited, each with its x, in their order. A late event that
     * happened before them must not undo them.
     */
    private final Map<Change, Float> changes = new LinkedHashMap<>();

    /** Per sender: the earliest time of late events that a re-simulated tick may take. */
    private final Map<Integer, Long> joinedNanos = new HashMap<>();

    /** The sampling time of the last tick. A pause does not change it. */
    private long tickNanos;

    private boolean hasTicked;

    LateInput(InputSampler sampler, InputLevels levels) {
        this.sampler = sampler;
        this.levels = levels;
    }

    /** {@return the earliest event, null if there is none} */
    public @Nullable InputEvent next() {
        return events.peek();
    }

    /**
     * Removes the event of {@link #next}.
     *
     * @return the event, valid until the sampler takes another one from the ring
     * @throws java.util.NoSuchElementException if there is none
     */
    public InputEvent take() {
        InputEvent event = events.remove();
        sampler.unusedEvents.add(event);
        sampler.countWaiting();
        return event;
    }

    /** Drops the event of {@link #next}. No tick gets it, but its change of a level remains, as with an event of a pause. */
    public void drop() {
        sampler.applyUndelivered(take());
        reapplyChanges(levels);
    }

    /**
     * Adopts the levels of re-simulated ticks, which had more input. Keeps changes of levels after these ticks.
     *
     * @param before the input of the last of these ticks when it first ran
     * @param now    the input of that tick after the re-simulation
     */
    public void adoptLevels(InputFrame before, RecordedInput now) {
        levels.visitChangesSince(before.levels, now.levels()::set);
        reapplyChanges(now.levels());
        levels.copyFrom(now.levels());
    }

    /** Keeps an event if it is late. Returns false if the event waits for the next tick instead. */
    boolean keep(InputEvent event) {
        if (!hasTicked || event.timeNanos - tickNanos > 0 || !mayResimulate(event)) {
            return false;
        }
        events.add(event);
        if (events.size() > sampler.capacity / 2) {
            sampler.waitingEvents.add(events.remove()); // room for other events: in a pause, nobody takes late ones
        }
        return true;
    }

    /**
     * Returns whether a re-simulated tick may take an event. It may not take a join or leave, which come once, nor an event of a sender
     * whose join is in no tick. An event stamped before its sender joined moves to just after the join, so that it stays before the
     * sender's later events.
     */
    private boolean mayResimulate(InputEvent event) {
        if (event.sender == 0) {
            return true;
        }
        Long sinceNanos = joinedNanos.get(event.sender);
        if (sinceNanos == null || event.kind.isOfSender()) {
            return false;
        }
        if (event.timeNanos - sinceNanos <= 0) {
            event.timeNanos = sinceNanos + 1;
        }
        return true;
    }

    /** Notes an event of a tick that begins at {@code fromNanos}. */
    void delivered(InputEvent event, long fromNanos) {
        if (event.kind == InputKind.SENDER_JOINED) { // from this tick on: no earlier one has the join
            joinedNanos.put(event.sender, hasTicked && tickNanos - fromNanos > 0 ? tickNanos : fromNanos);
        }
        note(event, !changes.isEmpty());
    }

    /** Notes an event of a pause. */
    void undelivered(InputEvent event) {
        note(event, true);
    }

    private void note(InputEvent event, boolean recordsChange) {
        if (event.kind == InputKind.SENDER_LEFT) {
            joinedNanos.remove(event.sender);
        } else if (recordsChange && event.kind.hasLevel()) {
            Change change = new Change(event.sender, event.kind, event.code);
            changes.remove(change);
            changes.put(change, event.x);
        }
    }

    /** Notes that a tick has sampled. */
    void ticked(long samplingNanos) {
        tickNanos = samplingNanos;
        hasTicked = true;
        if (events.isEmpty()) {
            changes.clear(); // not while late events wait: a late press must not undo a later release
        }
    }

    private void reapplyChanges(InputLevels to) {
        changes.forEach((change, x) -> to.apply(change.sender, change.kind, change.code, x));
    }
}
