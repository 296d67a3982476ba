package dev.escapement.bench.stress;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** The time of a late tick is blamed on what took it: compares the verdict with how long the thread ran. */
final class BlameCheck implements Part, TimeWatch.Listener {

    /** A tick is judged some seconds after it ended: these are 40 of them, at 100 Hz. */
    private static final int KEPT_TICKS = 4096;

    /** How exact counters of the system are: a part of a tick may be counted with its neighbour. */
    private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final double ROUNDING_SHARE = 0.15;

    private final Life life;

    /** The processor time of each of the last ticks from its step on. The physics thread writes it before {@link #newest}. */
    private final AtomicLongArray ownNanos = new AtomicLongArray(KEPT_TICKS);

    // Written by the physics thread; release, so that a thread that sees a tick, acquire, sees its time.
    private final AtomicLong newest = new AtomicLong();

    private long cpuNanosBefore;
    private @Nullable TimeWatch times;

    BlameCheck(Life life) {
        this.life = life;
    }

    @Override
    public void read(TickingWorld physics) {
        times = TimeWatch.start(physics.tickMetrics(), this);
    }

    @Override
    public void stepping(Tick tick) {
        cpuNanosBefore = ThreadCounts.cpuNanos();
    }

    @Override
    public void published(TickTimes tick) {
        ownNanos.setOpaque(place(tick.tick()), ThreadCounts.cpuNanos() - cpuNanosBefore); // ordered by newest
        newest.setRelease(tick.tick());
    }

    private static int place(long tick) {
        return (int) (tick & (KEPT_TICKS - 1));
    }

    /** Called by the threads of the watch. */
    @Override
    public void late(long tick, long fromNanos, long toNanos, TakenTime judged) {
        long last = newest.getAcquire();
        if (tick > last || tick <= last - KEPT_TICKS || judged.unknownNanos() > ROUNDING_NANOS) {
            return; // a tick that went out with the service, or a system that does not count
        }
        TakenTime taken = life.trial.isPlanted(Promise.BLAMED)
                ? new TakenTime(judged.othersNanos(), judged.ticksNanos(), judged.jvmNanos(), 0)
                : judged;
        long own = Math.min(toNanos - fromNanos, ownNanos.getOpaque(place(tick)));
        long leastNanos = own - ROUNDING_NANOS - (long) (ROUNDING_SHARE * own);
        if (leastNanos <= 0) {
            return; // any verdict would be right
        }
        life.trial
                .check(Promise.BLAMED)
                .that(
                        taken.ticksNanos() >= leastNanos,
                        () -> "tick " + tick + " ran for " + own / 1e6 + " of " + (toNanos - fromNanos) / 1e6
                                + " ms, but it was said: " + taken.inMillis());
    }

    @Override
    public void stopped() {
        if (times != null) {
            times.close();
        }
    }
}
