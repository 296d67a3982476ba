package dev.escapement.state.event;

import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What subscribers were told of the contacts of the last ticks. When some of these ticks run again, it finds the contacts that no longer
 * happen, and those that are new. A contact that begins or ends in another of these ticks, or elsewhere, is the same.
 *
 * <p>Physics thread only; allocates only when there are more events than ever before.
 */
final class CorrectedContacts {

    private static final long NONE = Long.MAX_VALUE;

    // By tick. One of another number stands for a tick without contacts.
    private final TickEvents[] told;
    private final TickEvents[] again;

    /** All that were told of the ticks that ran again, and all that should have been. */
    private final TickEvents wrong = new TickEvents();

    private final TickEvents right = new TickEvents();

    /** The first tick that ran again since the last one was told. */
    private long firstAgain = NONE;

    /** The bodies of the last tick that ran again, null if none did. */
    private @Nullable Snapshot bodiesAgain;

    CorrectedContacts(int ticks) {
        told = new TickEvents[ticks + 1];
        again = new TickEvents[ticks + 1];
        Arrays.setAll(told, i -> new TickEvents());
        Arrays.setAll(again, i -> new TickEvents());
    }

    /** Begins the contacts of a new tick. */
    TickEvents begin(long tick) {
        return begin(told, tick);
    }

    /** Begins the contacts of a tick that runs again. */
    TickEvents beginAgain(long tick, Snapshot bodies) {
        firstAgain = Math.min(firstAgain, tick);
        bodiesAgain = bodies;
        return begin(again, tick);
    }

    private static TickEvents begin(TickEvents[] ticks, long tick) {
        TickEvents events = ticks[(int) (tick % ticks.length)];
        events.begin(tick);
        return events;
    }

    /** The bodies of the tick before the new one. */
    @Nullable
    Snapshot before(@Nullable Snapshot published) {
        return bodiesAgain == null ? published : bodiesAgain;
    }

    /** Forgets what has changed, because no one listens any more. */
    void forget() {
        firstAgain = NONE;
        bodiesAgain = null;
        wrong.begin(NONE);
        right.begin(NONE);
    }

    /**
     * The run has gone back from before tick {@code next}: what was told of the ticks after {@code after} stays told, and is compared with
     * nothing any more. Corrections that subscribers have not got yet come with the next tick.
     */
    void undo(long after, long next) {
        compareAgain(next);
        for (int i = 0; i < told.length; i++) {
            if (told[i].tick() > after) {
                told[i].begin(NONE);
            }
            again[i].begin(NONE); // left from ticks that were compared
        }
    }

    /** Adds the contacts of the new tick, and what has changed in those before it. */
    void tellNew(TickEvents events) {
        TickEvents now = told[(int) (events.tick() % told.length)];
        compareAgain(events.tick());
        if (wrong.count() == 0 && right.count() == 0) {
            events.retellAll(now);
        } else {
            right.retellAll(now);
            tellDifference(events);
        }
        forget();
    }

    /** Notes what was told of the ticks before one that ran again, and what should have been. */
    private void compareAgain(long tick) {
        for (long ran = Math.max(firstAgain, tick - told.length + 1); ran < tick; ran++) {
            int at = (int) (ran % told.length);
            TickEvents was = told[at];
            if (was.tick() == ran) {
                wrong.retellAll(was);
            }
            if (again[at].tick() == ran) {
                right.retellAll(again[at]);
            }
            told[at] = again[at];
            again[at] = was;
        }
        firstAgain = NONE;
    }

    private void tellDifference(TickEvents events) {
        wrong.sort();
        right.sort();
        int w = 0;
        int r = 0;
        while (w < wrong.count() || r < right.count()) {
            int order = w == wrong.count()
                    ? 1
                    : r == right.count() ? -1 : TickEvents.compareKind(wrong.get(w), right.get(r));
            if (order < 0) {
                events.retell(wrong.get(w), withdrawn(wrong.get(w).kind()));
            } else if (order > 0) {
                events.retell(right.get(r), right.get(r).kind());
            }
            w += order <= 0 ? 1 : 0;
            r += order >= 0 ? 1 : 0;
        }
    }

    private static BodyEvent.Kind withdrawn(BodyEvent.Kind kind) {
        return kind == BodyEvent.Kind.CONTACT_BEGAN
                ? BodyEvent.Kind.CONTACT_BEGAN_WITHDRAWN
                : BodyEvent.Kind.CONTACT_ENDED_WITHDRAWN;
    }
}
