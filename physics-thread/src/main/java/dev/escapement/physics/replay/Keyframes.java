package dev.escapement.physics.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * A bounded number of saved states of a run, evenly spaced: when all places are used, every second state is dropped, and the spacing
 * doubles.
 *
 * <p>One thread.
 */
final class Keyframes {

    private final int max;
    private final List<StateBuffer> states = new ArrayList<>();
    private final List<StateBuffer> unused = new ArrayList<>();
    private long interval = 1;

    Keyframes(int max) {
        this.max = max;
    }

    /** Saves the state after a tick, if the spacing puts one there. The first one is at tick 0. */
    void offer(long tick, Restorable simulation) {
        if (tick != states.size() * interval) {
            return;
        }
        if (states.size() == max) {
            thinOut();
            offer(tick, simulation);
            return;
        }
        StateBuffer state = unused.isEmpty() ? new StateBuffer() : unused.remove(unused.size() - 1);
        state.clear();
        simulation.save(state);
        states.add(state);
    }

    /** The last tick, at most the given one, whose state is kept. */
    long lastUpTo(long tick) {
        return Math.min(tick / interval, states.size() - 1) * interval;
    }

    void restore(long tick, Restorable simulation) {
        StateBuffer state = states.get(Math.toIntExact(tick / interval));
        state.rewind();
        simulation.restore(state);
    }

    int count() {
        return states.size();
    }

    private void thinOut() {
        for (int i = states.size() - 1; i > 0; i--) {
            if (i % 2 == 1) {
                unused.add(states.remove(i));
            }
        }
        interval *= 2;
    }
}
