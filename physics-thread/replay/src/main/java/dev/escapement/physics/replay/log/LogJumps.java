package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.SavedState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the run of a log went back. A re-simulated tick is in the log twice, at two positions.
 *
 * <pre>
 *   simulation tick     1    2    3         2    3
 *   position            1    2    3         4    5
 *   jumps               before position 4, to position 1, which is tick 1
 *   firsts              (0, 0)         then (0, 0) (4, 2): the last state is that of ticks 1, 2 and 3 at positions 1, 4 and 5
 * </pre>
 */
final class LogJumps {

    /** The position and the simulation tick of the same tick. */
    record Numbers(long position, long number) {}

    /** The first of each row of consecutive ticks that led to the last one that was added, the oldest first. */
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
            jumps.put(tick.position, new Numbers(last().position + to - last().number, to));
            firsts.add(new Numbers(tick.position, to + 1));
        }
    }

    private Numbers last() {
        return firsts.get(firsts.size() - 1);
    }

    /** By each position before which the run went back, the tick to which it went. */
    Map<Long, Numbers> all() {
        return jumps;
    }
}
