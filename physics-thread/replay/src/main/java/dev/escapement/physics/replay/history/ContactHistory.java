package dev.escapement.physics.replay.history;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.BodyEvent.Kind;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.event.TickEvents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the delivered contacts of the last ticks, and corrects them after a re-simulation. It retracts the contacts that no longer happen,
 * and adds the new ones. A contact that begins or ends in another re-simulated tick, or at another place, counts as the same contact.
 *
 * <p>All tick numbers count published ticks. Physics thread only; allocates only when there are more events than ever before.
 */
final class ContactHistory implements EventHub.Correction {

    private static final long NONE = Long.MAX_VALUE;

    // The list of a tick is at the index of the tick modulo the length. If the list there has another tick number, the
    // tick had no contacts.
    private final TickEvents[] delivered;
    private final TickEvents[] resimulated;

    /** The delivered contacts of re-simulated ticks. */
    private final TickEvents wrong = new TickEvents();

    /** The contacts of the re-simulated ticks, as the re-simulation found them. */
    private final TickEvents right = new TickEvents();

    /** The first tick that was re-simulated since the last delivery. */
    private long firstResimulated = NONE;

    /** The bodies of the last re-simulated tick; null if there is none since the last delivery. */
    private @Nullable Snapshot lastResimulated;

    ContactHistory(int ticks) {
        delivered = new TickEvents[ticks + 1];
        resimulated = new TickEvents[ticks + 1];
        Arrays.setAll(delivered, i -> new TickEvents());
        Arrays.setAll(resimulated, i -> new TickEvents());
    }

    @Override
    public TickEvents begin(long tick) {
        return begin(delivered, tick);
    }

    /** Returns an empty list for the contacts of a re-simulated tick. */
    TickEvents beginResimulated(long tick, Snapshot bodies) {
        firstResimulated = Math.min(firstResimulated, tick);
        lastResimulated = bodies;
        return begin(resimulated, tick);
    }

    private static TickEvents begin(TickEvents[] ticks, long tick) {
        TickEvents events = ticks[(int) (tick % ticks.length)];
        events.begin(tick);
        return events;
    }

    @Override
    public @Nullable Snapshot before(@Nullable Snapshot published) {
        return lastResimulated == null ? published : lastResimulated;
    }

    @Override
    public boolean isPending() {
        return firstResimulated != NONE || wrong.count() + right.count() > 0;
    }

    @Override
    public void drop() {
        firstResimulated = NONE;
        lastResimulated = null;
        wrong.begin(NONE);
        right.begin(NONE);
    }

    /**
     * Forgets the contacts of the ticks after {@code after}, to which the run seeks before tick {@code next}. These contacts stay
     * delivered. Corrections that are not delivered yet come with the next tick.
     */
    void undo(long after, long next) {
        collectDifference(next);
        for (int i = 0; i < delivered.length; i++) {
            if (delivered[i].tick() > after) {
                delivered[i].begin(NONE);
            }
            resimulated[i].begin(NONE); // may hold the contacts of ticks that were compared before
        }
    }

    @Override
    public void addTo(TickEvents events) {
        TickEvents now = delivered[(int) (events.tick() % delivered.length)];
        collectDifference(events.tick());
        if (wrong.count() == 0 && right.count() == 0) {
            events.addAll(now, true);
        } else {
            right.addAll(now, true);
            addDifference(events);
        }
        drop();
    }

    /** Adds the contacts of the re-simulated ticks before {@code tick} to {@link #wrong} and {@link #right}. */
    private void collectDifference(long tick) {
        for (long past = Math.max(firstResimulated, tick - delivered.length + 1); past < tick; past++) {
            int at = (int) (past % delivered.length);
            TickEvents before = delivered[at];
            if (before.tick() == past) {
                wrong.addAll(before, false);
            }
            if (resimulated[at].tick() == past) {
                right.addAll(resimulated[at], false);
            }
            delivered[at] = resimulated[at];
            resimulated[at] = before;
        }
        firstResimulated = NONE;
    }

    private void addDifference(TickEvents events) {
        wrong.sortBySides();
        right.sortBySides();
        int w = 0;
        int r = 0;
        while (w < wrong.count() || r < right.count()) {
            boolean isRightFirst = w == wrong.count()
                    || (r < right.count() && TickEvents.compareSides(right.get(r), wrong.get(w)) < 0);
            BodyEvent first = isRightFirst ? right.get(r) : wrong.get(w);
            int wrongEnd = endOf(wrong, w, first);
            int rightEnd = endOf(right, r, first);
            addDifference(events, w, wrongEnd, r, rightEnd);
            w = wrongEnd;
            r = rightEnd;
        }
    }

    /** Returns the index after the events that have the same sides as {@code bodies}. */
    private static int endOf(TickEvents sorted, int from, BodyEvent bodies) {
        int end = from;
        while (end < sorted.count() && TickEvents.compareSides(sorted.get(end), bodies) == 0) {
            end++;
        }
        return end;
    }

    /**
     * Adds the difference of the contacts between two sides. The last added event must be the one that says whether the sides touch now;
     * else a subscriber's set of contacts would be wrong.
     */
    private void addDifference(TickEvents events, int wrongFrom, int wrongEnd, int rightFrom, int rightEnd) {
        boolean touches = touches(wrongFrom, wrongEnd, rightFrom, rightEnd);
        int w = wrongFrom;
        int r = rightFrom;
        while (w < wrongEnd || r < rightEnd) {
            int order = w == wrongEnd
                    ? 1
                    : r == rightEnd
                            ? -1
                            : wrong.get(w).kind().compareTo(right.get(r).kind());
            if (order < 0) {
                boolean began = wrong.get(w).kind() == Kind.CONTACT_BEGAN;
                Kind retracted = began ? Kind.CONTACT_BEGAN_RETRACTED : Kind.CONTACT_ENDED_RETRACTED;
                events.add(wrong.get(w), retracted, began == touches ? 0 : 1);
            } else if (order > 0) {
                boolean began = right.get(r).kind() == Kind.CONTACT_BEGAN;
                events.add(right.get(r), right.get(r).kind(), began == touches ? 1 : 0);
            }
            w += order <= 0 ? 1 : 0;
            r += order >= 0 ? 1 : 0;
        }
    }

    /**
     * Whether two sides touch now. The last event of {@link #right} decides. If there is none, they touch if they did before the first
     * event of {@link #wrong}.
     */
    private boolean touches(int wrongFrom, int wrongEnd, int rightFrom, int rightEnd) {
        if (rightFrom == rightEnd) {
            BodyEvent first = wrong.get(wrongFrom);
            for (int w = wrongFrom + 1; w < wrongEnd; w++) {
                first = wrong.get(w).tick() < first.tick() ? wrong.get(w) : first;
            }
            return first.kind() == Kind.CONTACT_ENDED;
        }
        BodyEvent last = right.get(rightFrom);
        for (int r = rightFrom + 1; r < rightEnd; r++) {
            last = right.get(r).tick() >= last.tick() ? right.get(r) : last;
        }
        return last.kind() != Kind.CONTACT_ENDED;
    }
}
