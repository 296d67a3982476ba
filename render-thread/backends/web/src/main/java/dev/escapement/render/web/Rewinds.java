package dev.escapement.render.web;

import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which ticks of a history are still in the run's past.
 *
 * <p>A rewind removes the ticks after its target from that past. Readers number published ticks, and these numbers only grow; the
 * simulation's numbers fall in a rewind. This class translates between the two. One thread.
 */
final class Rewinds {

    /**
     * Consecutive published ticks with the same difference between the readers' and the simulation's numbers.
     *
     * @param first    the first of these ticks
     * @param behind   the readers' number of a tick minus the simulation's number
     * @param goneFrom the first simulated tick that a rewind right before this stretch has undone; {@link Long#MAX_VALUE} if there was no
     *                 rewind
     */
    private record Stretch(long first, long behind, long goneFrom) {}

    private final List<Stretch> stretches = new ArrayList<>();

    private long oldest;
    private long newest;

    /**
     * Adds the next tick.
     *
     * @param nowOldest the oldest tick that is kept
     * @return the message for the pages; null unless the run went back before this tick
     */
    PageMessage.@Nullable Rewound add(Snapshot snapshot, long nowOldest) {
        long behind = snapshot.tick() - snapshot.simulationTick();
        PageMessage.Rewound rewound = null;
        if (stretches.isEmpty()) {
            stretches.add(new Stretch(snapshot.tick(), behind, Long.MAX_VALUE));
        } else if (behind != stretches.get(stretches.size() - 1).behind) {
            long lastTick = newest - stretches.get(stretches.size() - 1).behind;
            long goneFrom = snapshot.simulationTick() + (snapshot.isStepped() ? 0 : 1);
            boolean wentBack = goneFrom <= lastTick;
            rewound = wentBack ? new PageMessage.Rewound(newest, published(goneFrom - 1)) : null;
            // The stretch begins right after the newest tick so far, even if its first ticks are missing.
            stretches.add(new Stretch(newest + 1, behind, wentBack ? goneFrom : Long.MAX_VALUE));
        }
        oldest = nowOldest;
        newest = snapshot.tick();
        while (stretches.size() > 1 && stretches.get(1).first <= oldest) {
            stretches.remove(0);
        }
        return rewound;
    }

    /** Returns the last published tick at which the simulation's number was {@code simulated}. */
    private long published(long simulated) {
        int at = stretches.size() - 1;
        while (at > 0 && simulated < stretches.get(at).first - stretches.get(at).behind) {
            at--;
        }
        return simulated + stretches.get(at).behind;
    }

    /**
     * Translates a published tick to the simulation's number.
     *
     * @throws IllegalArgumentException if the tick is not in the past of the run, or no longer kept
     */
    long simulated(long tick) {
        if (stretches.isEmpty() || tick < oldest || tick > newest) {
            throw new IllegalArgumentException(
                    "tick " + tick + " is not kept: ticks " + oldest + " to " + newest + " are");
        }
        int at = stretches.size() - 1;
        while (at > 0 && tick < stretches.get(at).first) {
            at--;
        }
        long simulated = tick - stretches.get(at).behind;
        for (int later = at + 1; later < stretches.size(); later++) {
            if (stretches.get(later).goneFrom <= simulated) {
                throw new IllegalArgumentException(
                        "tick " + tick + " is gone: after it, the world went back to before it");
            }
        }
        return simulated;
    }
}
