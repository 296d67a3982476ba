package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.SavedState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the run of a log went back. A re-simulated tick is in the log twice; as a published tick, each of the two is another
 * one.
 */
final class LogJumps {

    /** The two numbers of a tick. */
    record Numbers(long published, long number) {}

    /** The first of each run of consecutive ticks that led to the last one that was added, the oldest first. */
    private final List<Numbers> firsts = new ArrayList<>();

    private final Map<Long, Numbers> jumps = new LinkedHashMap<>();

    LogJumps(SavedState start) {
        firsts.add(new Numbers(start.tick(), start.tick()));
    }

    /** Adds a tick of the log, one after the other. */
    void add(LoggedTick tick) {
        long to = tick.wentBackTo;
        if (to >= 0) {
            while (last().number > to && firsts.size() > 1) { // a part of a flight recorder's ring may lack the tick
                firsts.remove(firsts.size() - 1);
            }
            jumps.put(tick.published, new Numbers(last().published + to - last().number, to));
            firsts.add(new Numbers(tick.published, to + 1));
        }
    }

    private Numbers last() {
        return firsts.get(firsts.size() - 1);
    }

    /** By each published tick before which the run went back, the tick to which it went. */
    Map<Long, Numbers> all() {
        return jumps;
    }
}
