package dev.escapement.render.web;

import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which ticks of a history are in the past of the run: after it went back, those in between are not any more. Translates between the numbers
 * of ticks that readers know, which only grow, and those of the simulation. One thread.
 */
final class Rewinds {

    /** Ticks from one rewind to the next: the first one, and by how much the simulation's numbers are behind in all of them. */
    private record Stretch(long first, long behind) {}

    /** The oldest first. */
    private final List<Stretch> stretches = new ArrayList<>();

    private long oldest;
    private long newest;

    /**
     * Adds the next tick.
     *
     * @param nowOldest the oldest tick that is kept
     * @return what pages are to be told, null unless the run went back before it
     */
    PageMessage.@Nullable Rewound add(Snapshot snapshot, long nowOldest) {
        long behind = snapshot.tick() - snapshot.simulationTick();
        PageMessage.Rewound rewound = null;
        if (stretches.isEmpty()) {
            stretches.add(new Stretch(snapshot.tick(), behind));
        } else if (behind != stretches.get(stretches.size() - 1).behind) {
            stretches.add(new Stretch(newest + 1, behind)); // or later, if ticks are missing
            rewound = new PageMessage.Rewound(newest, published(newest - behind));
        }
        oldest = nowOldest;
        newest = snapshot.tick();
        while (stretches.size() > 1 && stretches.get(1).first <= oldest) {
            stretches.remove(0);
        }
        return rewound;
    }

    /** The last tick at which the simulation's number was this one. */
    private long published(long simulated) {
        int at = stretches.size() - 1;
        while (at > 0 && simulated < stretches.get(at).first - stretches.get(at).behind) {
            at--;
        }
        return simulated + stretches.get(at).behind;
    }

    /** The simulation's number of a tick. Throws an {@link IllegalArgumentException} if it is not in the past of the run, or no longer kept. */
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
        if (published(simulated) != tick) {
            throw new IllegalArgumentException("tick " + tick + " is gone: after it, the world went back to before it");
        }
        return simulated;
    }
}
