package dev.escapement.physics.replay.history;

import dev.escapement.physics.TickAccess;
import dev.escapement.physics.TickTimes;
import java.util.Arrays;

/**
 * What is known of the last ticks of a run, by the simulation's count: those that may run again, where ticks that were undone take up room,
 * too. One thread.
 */
final class KnownTicks implements TickAccess.PastTicks {

    private final long[] number;
    private final long[] published;
    private final long[] fromNanos;
    private final long[] dueNanos;
    private final boolean[] tookInput;

    /** Whether no tick was undone between the tick before it and this one. */
    private final boolean[] continues;

    private long latest = -1;

    KnownTicks(int ticks) {
        number = new long[ticks];
        published = new long[ticks];
        fromNanos = new long[ticks];
        dueNanos = new long[ticks];
        tookInput = new boolean[ticks];
        continues = new boolean[ticks];
        Arrays.fill(number, -1);
    }

    int size() {
        return number.length;
    }

    /** Adds the next tick, perhaps in place of one of the same number that was dropped. */
    void add(TickTimes times, boolean newTookInput) {
        int at = at(times.simulationTick());
        number[at] = times.simulationTick();
        published[at] = times.tick();
        fromNanos[at] = times.fromNanos();
        dueNanos[at] = times.dueNanos();
        tookInput[at] = newTookInput;
        continues[at] = latest == times.simulationTick() - 1;
        latest = times.simulationTick();
    }

    private int at(long tick) {
        return (int) (tick % number.length);
    }

    /** Whether all of these ticks are known, and fewer than {@link #size()} were published since the first of them, with undone ones and those without a step. */
    boolean mayRunAgain(long from, long last, long publishedTick) {
        for (long tick = from; tick <= last; tick++) {
            if (!isKnown(tick)) {
                return false;
            }
        }
        return from == last + 1 || (from <= last && publishedTick - published(from) < number.length);
    }

    private int require(long tick) {
        if (!isKnown(tick)) {
            throw new IllegalArgumentException(
                    "tick " + tick + " is none of the last " + number.length + " ticks that may run again");
        }
        return at(tick);
    }

    private boolean isKnown(long tick) {
        return tick >= 0 && number[at(tick)] == tick;
    }

    /** The tick up to the last one that takes input of an instant, -1 if none does. */
    long tickAt(long nanos, long last) {
        long tick = tookInput(last) && nanos - dueNanos(last) <= 0 ? last : -1;
        while (tick >= 0 && nanos - fromNanos(tick) <= 0) {
            // After the tick before it, and before its own time: that was skipped, or is the time of ticks that were
            // undone.
            boolean isBetween = tookInput(tick - 1) && nanos - dueNanos(tick - 1) > 0;
            if (isBetween && continues[at(tick)]) {
                return tick; // time was skipped
            }
            tick = !isBetween && tookInput(tick - 1) ? tick - 1 : -1;
        }
        return tick;
    }

    private boolean tookInput(long tick) {
        return isKnown(tick) && tookInput[at(tick)];
    }

    /** The number for readers of a tick, if it is known. */
    long publishedOr(long tick, long otherwise) {
        return isKnown(tick) ? published(tick) : otherwise;
    }

    @Override
    public long published(long tick) {
        return published[require(tick)];
    }

    @Override
    public long fromNanos(long tick) {
        return fromNanos[require(tick)];
    }

    @Override
    public long dueNanos(long tick) {
        return dueNanos[require(tick)];
    }
}
