package dev.escapement.state.event;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The events of one tick before delivery. Physics thread only; allocates only when a tick has more events than any before.
 *
 * @see EventHub.Correction
 */
public final class TickEvents {

    private BodyEvent[] events = {};
    private int count;
    private long tick;

    /** By slot, the index of the event that {@link #addFirstOfSlots} added; any number if there is none. */
    private int[] inSlot = {};

    private Comparator<BodyEvent> order = TickEvents::compare;

    /** Empty between two sorts. A heap, because the Java library's sorts of objects allocate memory. */
    private final PriorityQueue<BodyEvent> unsorted = new PriorityQueue<>((a, b) -> order.compare(a, b));

    /** Creates an empty list. */
    public TickEvents() {}

    /**
     * Empties the list for a tick.
     *
     * @param newTick its number
     */
    public void begin(long newTick) {
        tick = newTick;
        count = 0;
    }

    BodyEvent add() {
        if (count == events.length) {
            events = Arrays.copyOf(events, Math.max(64, 2 * count));
            for (int i = count; i < events.length; i++) {
                events[i] = new BodyEvent();
            }
        }
        return events[count++];
    }

    /** Adds copies of the spawns and despawns whose slots have none in this list yet. */
    void addFirstOfSlots(TickEvents others) {
        for (int i = 0; i < others.count; i++) {
            BodyEvent event = others.events[i];
            int slot = BodyId.slot(event.body());
            if (findInSlot(slot) == null) {
                if (slot >= inSlot.length) {
                    inSlot = Arrays.copyOf(inSlot, Math.max(64, 2 * slot));
                }
                inSlot[slot] = count;
                add().setLifecycle(event.kind(), others.tick, event.body(), event.userData());
            }
        }
    }

    @Nullable
    BodyEvent findInSlot(int slot) {
        int at = slot >= 0 && slot < inSlot.length ? inSlot[slot] : count;
        return at < count && BodyId.slot(events[at].body()) == slot ? events[at] : null;
    }

    /**
     * Adds a copy of an event for delivery in this tick.
     *
     * @param event the event of a past tick
     * @param kind  the kind of the copy
     * @param rank  the order of the copy among the events of the same bodies, the lowest first
     */
    public void add(BodyEvent event, BodyEvent.Kind kind, int rank) {
        BodyEvent copy = add();
        copy.copyFrom(event);
        copy.kind = kind;
        copy.tick = tick;
        copy.rank = rank;
    }

    /**
     * Adds copies of events. Each keeps its tick.
     *
     * @param others  the events
     * @param lasting whether to add {@code CONTACT_LASTS} events, too, which no re-simulation retracts
     */
    public void addAll(TickEvents others, boolean lasting) {
        for (int i = 0; i < others.count; i++) {
            if (lasting || others.events[i].kind() != BodyEvent.Kind.CONTACT_LASTS) {
                add().copyFrom(others.events[i]);
            }
        }
    }

    /**
     * Adds the spawns and despawns between two snapshots, so that events agree with snapshots: a body that was spawned and despawned within
     * a tick has no events. Looks only into changed blocks.
     */
    void addLifecycles(@Nullable Snapshot before, Snapshot now) {
        int blocksBefore = before == null ? 0 : before.poses().blockCount();
        int blocks = now.poses().blockCount();
        for (int b = 0; b < Math.max(blocksBefore, blocks); b++) {
            BodyBlock bodiesBefore = before == null || b >= blocksBefore ? null : before.bodyBlock(b);
            BodyBlock bodies = b < blocks ? now.bodyBlock(b) : null;
            if (bodies == null || bodies.changedTick() == now.tick()) {
                for (int i = 0; i < PoseBlock.CAPACITY; i++) {
                    addLifecycle(bodiesBefore, bodies, b, i);
                }
            }
        }
    }

    private void addLifecycle(@Nullable BodyBlock before, @Nullable BodyBlock now, int b, int i) {
        int slot = (b << PoseBlock.SHIFT) + i;
        int generationBefore = before == null ? 0 : before.generationAt(i);
        int generation = now == null ? 0 : now.generationAt(i);
        if (generationBefore == generation) {
            return;
        }
        if (before != null && BodyId.isLive(generationBefore)) {
            long id = BodyId.of(slot, generationBefore);
            add().setLifecycle(BodyEvent.Kind.DESPAWNED, tick, id, before.userData[i]);
        }
        if (now != null && BodyId.isLive(generation)) {
            long id = BodyId.of(slot, generation);
            add().setLifecycle(BodyEvent.Kind.SPAWNED, tick, id, now.userData[i]);
        }
    }

    /**
     * Sorts the events for delivery, so that their order does not depend on an engine's worker threads. Of contacts between the same two
     * sides, the first that begins and the last that ends is then the one {@linkplain BodyEvent#isOfBodies() of the bodies}.
     */
    public void sort() {
        sort(TickEvents::compare);
        for (int from = 0; from < count; ) {
            from = markOfBodies(from);
        }
    }

    /** Sorts the events, so that all events of the {@linkplain #compareSides same sides} are together. */
    public void sortBySides() {
        sort(TickEvents::compareBySides);
    }

    private void sort(Comparator<BodyEvent> newOrder) {
        order = newOrder;
        unsorted.clear();
        for (int i = 0; i < count; i++) {
            unsorted.add(events[i]);
        }
        for (int i = 0; i < count; i++) {
            events[i] = unsorted.remove();
        }
    }

    /** Returns the index after the contacts that begin or end like the one at {@code from}, and marks the one that is of the bodies. */
    private int markOfBodies(int from) {
        BodyEvent first = events[from];
        int end = from;
        int marked = -1;
        int marks = 0;
        for (; end < count && first.kind() == events[end].kind() && comparePairs(first, events[end]) == 0; end++) {
            if (events[end].isOfBodies()) {
                marked = end;
                marks++;
            }
        }
        int right = first.kind() == BodyEvent.Kind.CONTACT_BEGAN
                ? from
                : first.kind() == BodyEvent.Kind.CONTACT_ENDED ? end - 1 : marked;
        if (marks == 1) { // more marks: a simulation without shapes, or contacts of several re-simulated ticks
            events[marked].isOfBodies = false;
            events[right].isOfBodies = true;
        }
        return end;
    }

    /**
     * Compares the sides of two contacts: their bodies, keys and shapes.
     *
     * @param a an event
     * @param b another one
     * @return 0 if both are of the same shapes of the same bodies
     */
    public static int compareSides(BodyEvent a, BodyEvent b) {
        int order = comparePairs(a, b);
        order = order != 0 ? order : Integer.compare(a.shape(), b.shape());
        return order != 0 ? order : Integer.compare(a.otherShape(), b.otherShape());
    }

    /** Compares the bodies and keys of two contacts. A sensor's contacts are another pair than solid ones. */
    private static int comparePairs(BodyEvent a, BodyEvent b) {
        int order = compareBodies(a, b);
        order = order != 0 ? order : Long.compare(a.otherKey(), b.otherKey());
        return order != 0 ? order : Boolean.compare(a.isSensor(), b.isSensor());
    }

    private static int compareBodies(BodyEvent a, BodyEvent b) {
        int order = Long.compare(a.body(), b.body());
        order = order != 0 ? order : Long.compare(a.other(), b.other());
        return order != 0 ? order : Integer.compare(stage(a), stage(b));
    }

    /** Orders a spawn before all contacts of the body, and a despawn after them. */
    private static int stage(BodyEvent event) {
        return Integer.signum(event.kind().compareTo(BodyEvent.Kind.SPAWNED))
                + Math.max(0, event.kind().compareTo(BodyEvent.Kind.CONTACT_LASTS));
    }

    private static int compareBySides(BodyEvent a, BodyEvent b) {
        int order = compareSides(a, b);
        return order != 0 ? order : compare(a, b);
    }

    private static int compare(BodyEvent a, BodyEvent b) {
        int order = compareBodies(a, b);
        order = order != 0 ? order : Integer.compare(a.rank, b.rank);
        order = order != 0 ? order : a.kind().compareTo(b.kind());
        order = order != 0 ? order : compareSides(a, b);
        order = order != 0 ? order : Float.compare(a.x(), b.x());
        order = order != 0 ? order : Float.compare(a.y(), b.y());
        order = order != 0 ? order : Float.compare(a.z(), b.z());
        order = order != 0 ? order : Float.compare(a.nx(), b.nx());
        order = order != 0 ? order : Float.compare(a.ny(), b.ny());
        order = order != 0 ? order : Float.compare(a.nz(), b.nz());
        order = order != 0 ? order : Float.compare(a.impulse(), b.impulse());
        return order != 0 ? order : Float.compare(a.closingSpeed(), b.closingSpeed());
    }

    /** {@return the tick of the events} */
    public long tick() {
        return tick;
    }

    /** {@return the number of events} */
    public int count() {
        return count;
    }

    /**
     * {@return an event, valid until {@link #begin}}
     *
     * @param index from 0 to less than {@link #count()}
     */
    public BodyEvent get(int index) {
        return events[index];
    }
}
