package dev.escapement.bench.view;

import dev.escapement.physics.TickingWorld;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets time pass in worlds as somebody wants who watches them, and knows how many ticks have become due by that. A change takes effect at the
 * end of a tick, so that each may add or take up to two ticks.
 *
 * <p>One thread changes time, any thread may ask.
 */
public final class WorldTime {

    /** How far one change may move the number of ticks that are due. */
    public static final int TICKS_PER_CHANGE = 2;

    private static final TimeScale[] SCALES = {
        new TimeScale(1, 16),
        new TimeScale(1, 8),
        new TimeScale(1, 4),
        new TimeScale(1, 2),
        TimeScale.ONE,
        new TimeScale(2, 1),
        new TimeScale(4, 1)
    };
    private static final int REAL_TIME = 4;

    private final List<TickingWorld> worlds = new ArrayList<>();
    private final NanoClock clock;
    private final TickRate rate;
    private double ticksBefore;
    private long sinceNanos;

    // Volatile: written by the thread that changes time, read by those that show it or count; nothing else is ordered
    // by them.
    private volatile int scale = REAL_TIME;
    private volatile boolean paused;
    private volatile int changes;

    /** Time that has run at its real speed since an instant. */
    WorldTime(TickingWorld world, NanoClock clock, long startedNanos) {
        worlds.add(world);
        this.clock = clock;
        rate = world.rate();
        sinceNanos = startedNanos;
    }

    /** Lets time pass in another world, too, which has just begun. */
    void also(TickingWorld world) {
        worlds.add(world);
    }

    void togglePause() {
        settle();
        paused = !paused;
        worlds.forEach(world -> {
            if (paused) {
                world.pause();
            } else {
                world.resume();
            }
        });
    }

    /** Lets one tick pass, and then time stand still. */
    void step() {
        settle();
        paused = true;
        ticksBefore++;
        worlds.forEach(TickingWorld::step);
    }

    void faster() {
        scale(scale + 1);
    }

    void slower() {
        scale(scale - 1);
    }

    private void scale(int wanted) {
        int next = Math.max(0, Math.min(wanted, SCALES.length - 1));
        if (next != scale && isPossible(SCALES[next])) {
            settle();
            scale = next;
            worlds.forEach(world -> world.timeScale(SCALES[scale]));
        }
    }

    private boolean isPossible(TimeScale wanted) {
        try {
            wanted.times(rate);
            return true;
        } catch (IllegalArgumentException beyond) {
            return false;
        }
    }

    /** Counts what was due at the speed until now, and the change that follows. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread changes time
    private void settle() {
        long now = clock.nanoTime();
        ticksBefore += ticksSince(now);
        sinceNanos = now;
        changes++;
    }

    private double ticksSince(long nanos) {
        return paused
                ? 0
                : (nanos - sinceNanos) / 1e9 * SCALES[scale].times(rate).inHertz();
    }

    /** How many ticks were due until an instant, give or take {@link #TICKS_PER_CHANGE} for each of the changes. */
    public long ticksDue(long nanos) {
        return Math.round(ticksBefore + ticksSince(nanos));
    }

    /** How often somebody has changed how time passes. */
    public int changes() {
        return changes;
    }

    boolean isPaused() {
        return paused;
    }

    TimeScale scale() {
        return SCALES[scale];
    }
}
