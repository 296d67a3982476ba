package dev.escapement.physics.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the run of a log went back. A tick that ran again is in the log twice, with the same number; by the count of readers, which goes
 * on, each tick is another one.
 */
final class LogReturns {

    /** Consecutive ticks from one on: its number for the simulation and for readers. */
    private record Stretch(long number, long published) {}

    /** All ticks that led to the last one that was added, the oldest first. */
    private final List<Stretch> line = new ArrayList<>();

    /**
     * A tick to which the run went back.
     *
     * @param published its number for readers
     * @param number    its number for the simulation
     */
    record Return(long published, long number) {}

    private final Map<Long, Return> returns = new LinkedHashMap<>();

    LogReturns(SavedState start) {
        line.add(new Stretch(start.tick(), start.tick()));
    }

    /** Adds a tick of the log, one after the other. */
    void add(LoggedTick tick) {
        long to = tick.wentBackTo;
        if (to >= 0) {
            while (last().number > to && line.size() > 1) { // a part of a flight recorder's ring may lack the tick
                line.remove(line.size() - 1);
            }
            returns.put(tick.published, new Return(last().published + to - last().number, to));
            line.add(new Stretch(to + 1, tick.published));
        }
    }

    private Stretch last() {
        return line.get(line.size() - 1);
    }

    /** By each tick before which the run went back, by the count of readers. */
    Map<Long, Return> all() {
        return returns;
    }
}
