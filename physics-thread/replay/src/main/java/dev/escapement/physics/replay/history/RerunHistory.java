package dev.escapement.physics.replay.history;

import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.event.TickEvents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * Keeps the numbers, times and contacts of the last ticks, for a re-simulation. All ticks are simulation ticks. Ticks that a seek undid
 * take up room, too. Physics thread only.
 */
final class RerunHistory implements TickAccess.PastTicks {

    private final long[] number;
    private final long[] published;
    private final long[] fromNanos;
    private final long[] dueNanos;
    private final ContactHistory contacts;

    /** By tick, whether no seek undid a tick between this tick and its predecessor. */
    private final boolean[] continues;

    private long latest = -1;

    RerunHistory(int ticks) {
        number = new long[ticks];
        published = new long[ticks];
        fromNanos = new long[ticks];
        dueNanos = new long[ticks];
        continues = new boolean[ticks];
        contacts = new ContactHistory(ticks);
        Arrays.fill(number, -1);
    }

    ContactHistory contactHistory() {
        return contacts;
    }

    int size() {
        return number.length;
    }

    /** Adds the next tick. Replaces a dropped tick of the same number. */
    void add(TickHook.Times times) {
        int at = at(times.simulationTick());
        number[at] = times.simulationTick();
        published[at] = times.publishedTick();
        fromNanos[at] = times.fromNanos();
        dueNanos[at] = times.dueNanos();
        continues[at] = latest == times.simulationTick() - 1;
        latest = times.simulationTick();
    }

    private int at(long tick) {
        return (int) (tick % number.length);
    }

    /**
     * Whether the ticks {@code from} to {@code last} are kept, and fewer than {@link #size()} ticks were published since {@code from}.
     * Undone ticks and ticks without a step count as published.
     */
    boolean canResimulate(long from, long last, long publishedTick) {
        for (long tick = from; tick <= last; tick++) {
            if (!isKept(tick)) {
                return false;
            }
        }
        return from == last + 1 || (from <= last && publishedTick - published(from) < number.length);
    }

    private int require(long tick) {
        if (!isKept(tick)) {
            throw new IllegalArgumentException(
                    "tick " + tick + " is none of the last " + number.length + " ticks that may be re-simulated");
        }
        return at(tick);
    }

    private boolean isKept(long tick) {
        return tick >= 0 && number[at(tick)] == tick;
    }

    /**
     * Returns the tick, {@code last} at the latest, that takes input of the instant {@code nanos}; -1 if none does. Input from a gap goes
     * to the tick after the gap if time was skipped there, and to no tick if ticks were undone there.
     *
     * <pre>
     *         tick - 1                tick
     *   |----------------|  gap  |--------------|
     *   from           due       from         due
     * </pre>
     */
    long tickAt(long nanos, long last) {
        long tick = isKept(last) && nanos - dueNanos(last) <= 0 ? last : -1;
        while (tick >= 0 && nanos - fromNanos(tick) <= 0) {
            boolean isBetween = isKept(tick - 1) && nanos - dueNanos(tick - 1) > 0;
            if (isBetween && continues[at(tick)]) {
                return tick;
            }
            tick = !isBetween && isKept(tick - 1) ? tick - 1 : -1;
        }
        return tick;
    }

    long publishedOr(long tick, long otherwise) {
        return isKept(tick) ? published(tick) : otherwise;
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

    @Override
    public TickEvents contacts(long tick, Snapshot bodies) {
        return contacts.beginResimulated(published(tick), bodies);
    }
}
