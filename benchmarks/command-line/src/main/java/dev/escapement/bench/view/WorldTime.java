package dev.escapement.bench.view;

import dev.escapement.physics.TickingWorld;
import dev.escapement.state.service.TimeControl;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets time pass in worlds as somebody wants who watches them, and knows how many ticks have become due by that. A change takes effect at the
 * end of a tick, so that each may add or take up to two ticks.
 *
 * <p>Any thread.
 */
public final class WorldTime implements TimeControl {

    /** How far one change may move the number of ticks that are due. */
    public static final int TICKS_PER_CHANGE = 2;

    private static final List<TimeScale> SCALES = List.of(
            new TimeScale(1, 16),
            new TimeScale(1, 8),
            new TimeScale(1, 4),
            new TimeScale(1, 2),
            TimeScale.ONE,
            new TimeScale(2, 1),
            new TimeScale(4, 1));

    private final List<TickingWorld> worlds = new ArrayList<>();
    private final NanoClock clock;
    private final TickRate rate;
    private double ticksBefore;
    private long sinceNanos;

    // Volatile: written with this object's lock, read by the threads that show it or count; nothing else is ordered by
    // them.
    private volatile TimeScale scale = TimeScale.ONE;
    private volatile boolean paused;
    private volatile int changes;

    /** Time that has run at its real speed since an instant. */
    public WorldTime(TickingWorld world, NanoClock clock, long startedNanos) {
        worlds.add(world);
        this.clock = clock;
        rate = world.rate();
        sinceNanos = startedNanos;
    }

    /** Lets time pass in another world, too, which has just begun. */
    void also(TickingWorld world) {
        worlds.add(world);
    }

    @Override
    public synchronized void pause() {
        settle();
        paused = true;
        worlds.forEach(TickingWorld::pause);
    }

    @Override
    public synchronized void resume() {
        settle();
        paused = false;
        worlds.forEach(TickingWorld::resume);
    }

    /** Lets one tick pass, and then time stand still. */
    @Override
    public synchronized void step() {
        settle();
        paused = true;
        ticksBefore++;
        worlds.forEach(TickingWorld::step);
    }

    @Override
    public synchronized void timeScale(TimeScale newScale) {
        newScale.times(rate); // throws before anything changes
        settle();
        scale = newScale;
        worlds.forEach(world -> world.timeScale(newScale));
    }

    @Override
    public TimeScale timeScale() {
        return scale;
    }

    @Override
    public TickRate rate() {
        return rate;
    }

    void togglePause() {
        if (paused) {
            resume();
        } else {
            pause();
        }
    }

    void faster() {
        change(1);
    }

    void slower() {
        change(-1);
    }

    private void change(int steps) {
        int next = SCALES.indexOf(scale) + steps;
        if (next < 0 || next >= SCALES.size()) {
            return;
        }
        try {
            SCALES.get(next).times(rate);
        } catch (IllegalArgumentException beyond) {
            return; // more or fewer ticks a second than a world can run: it stays
        }
        timeScale(SCALES.get(next));
    }

    /** Counts what was due at the speed until now, and the change that follows. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
    private void settle() {
        long now = clock.nanoTime();
        ticksBefore += ticksSince(now);
        sinceNanos = now;
        changes++;
    }

    private double ticksSince(long nanos) {
        return paused ? 0 : (nanos - sinceNanos) / 1e9 * scale.times(rate).inHertz();
    }

    /** How many ticks were due until an instant, give or take {@link #TICKS_PER_CHANGE} for each of the changes. */
    public synchronized long ticksDue(long nanos) {
        return Math.round(ticksBefore + ticksSince(nanos));
    }

    /** How often somebody has changed how time passes. */
    public int changes() {
        return changes;
    }

    boolean isPaused() {
        return paused;
    }
}
