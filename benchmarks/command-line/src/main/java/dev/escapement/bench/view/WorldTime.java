package dev.escapement.bench.view;

import dev.escapement.physics.TickingWorld;
import dev.escapement.state.service.TimeControl;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;

/**
 * Lets time pass in a world as its viewer wants, and knows how many ticks have become due by that. A change takes effect at the
 * end of a tick, so that each may add or take up to two ticks.
 *
 * <p>Any thread.
 */
public final class WorldTime implements TimeControl {

    /** How far one change may move the number of ticks that are due. */
    public static final int TICKS_PER_CHANGE = 2;

    private static final long MOST_TIMES_FASTER = 4;
    private static final long MOST_TIMES_SLOWER = 16;

    private final TickingWorld world;
    private final NanoClock clock;
    private double ticksBefore;
    private long sinceNanos;

    // Volatile: written with this object's lock, read without it by those that show it or count.
    private volatile boolean paused;
    private volatile int changes;

    /** Time that has run at its real speed since an instant. */
    public WorldTime(TickingWorld world, NanoClock clock, long startedNanos) {
        this.world = world;
        this.clock = clock;
        sinceNanos = startedNanos;
    }

    @Override
    public synchronized void pause() {
        settle();
        paused = true;
        world.pause();
    }

    @Override
    public synchronized void resume() {
        settle();
        paused = false;
        world.resume();
    }

    /** Lets one tick pass, and then time stand still. */
    @Override
    public synchronized void step() {
        settle();
        paused = true;
        ticksBefore++;
        world.step();
    }

    @Override
    public synchronized void timeScale(TimeScale newScale) {
        newScale.times(world.rate()); // throws before anything changes
        settle();
        world.timeScale(newScale);
    }

    @Override
    public TimeScale timeScale() {
        return world.timeScale();
    }

    @Override
    public TickRate rate() {
        return world.rate();
    }

    void togglePause() {
        if (paused) {
            resume();
        } else {
            pause();
        }
    }

    /** Lets time run faster or slower than now, within bounds. */
    void scaleBy(long times, long dividedBy) {
        long numerator = timeScale().numerator() * times;
        long denominator = timeScale().denominator() * dividedBy;
        if (numerator > MOST_TIMES_FASTER * denominator || denominator > MOST_TIMES_SLOWER * numerator) {
            return;
        }
        try {
            timeScale(new TimeScale(numerator, denominator));
        } catch (IllegalArgumentException beyond) {
            // More or fewer ticks a second than a world can run: it stays.
        }
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
        TickRate scaled = timeScale().times(world.rate());
        return paused ? 0 : (nanos - sinceNanos) / 1e9 * scaled.inHertz();
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
