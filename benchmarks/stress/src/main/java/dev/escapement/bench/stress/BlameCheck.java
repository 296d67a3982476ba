package dev.escapement.bench.stress;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the verdict on a late tick does not blame others for time that the tick's own thread used, by comparing it with the thread's
 * processor time.
 */
final class BlameCheck implements Part, TimeWatch.Listener {

    /** The number of ticks whose processor time is kept: 40 seconds at 100 Hz. A tick's verdict comes some seconds after the tick. */
    private static final int KEPT_TICKS = 4096;

    /** The error of the system's counters: they may count a part of a tick's time for the tick before or after it. */
    private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final double ROUNDING_SHARE = 0.15;

    private final Life life;

    /**
     * The processor time from each tick's step to its publication, for the last ticks. The physics thread writes a tick's time before it
     * writes {@link #newest}.
     */
    private final AtomicLongArray ownNanos = new AtomicLongArray(KEPT_TICKS);

    // The newest tick whose time is in ownNanos. Release: pairs with the acquire of the thread that checks a verdict;
    // without it that thread could see the tick's number but not its time.
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
    public void published(TickHook.Times tick) {
        // Opaque, because the release of newest follows.
        ownNanos.setOpaque(place(tick.publishedTick()), ThreadCounts.cpuNanos() - cpuNanosBefore);
        newest.setRelease(tick.publishedTick());
    }

    private static int place(long tick) {
        return (int) (tick & (KEPT_TICKS - 1));
    }

    /** Checks the verdict on a late tick. The threads of the watch call it. */
    @Override
    public void late(long tick, long fromNanos, long toNanos, TakenTime judged) {
        long last = newest.getAcquire();
        if (tick > last || tick <= last - KEPT_TICKS || judged.unknownNanos() > ROUNDING_NANOS) {
            // The tick was not published, because the service ended before; or its time was overwritten; or the system
            // cannot attribute time.
            return;
        }
        TakenTime taken = life.trial.isPlanted(Promise.BLAMED)
                ? new TakenTime(judged.othersNanos(), judged.ticksNanos(), judged.jvmNanos(), 0)
                : judged;
        long own = Math.min(toNanos - fromNanos, ownNanos.getOpaque(place(tick)));
        long leastNanos = own - ROUNDING_NANOS - (long) (ROUNDING_SHARE * own);
        if (leastNanos <= 0) {
            return; // too short to compare with the verdict
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
