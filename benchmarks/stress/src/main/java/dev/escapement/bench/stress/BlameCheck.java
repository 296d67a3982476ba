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

/** Checks that the verdict on a late tick names the right cause, by comparing it with the processor time of the thread. */
final class BlameCheck implements Part, TimeWatch.Listener {

    /** The number of kept ticks. A tick is judged some seconds after it ended; at 100 Hz these are 40 seconds. */
    private static final int KEPT_TICKS = 4096;

    /** The error of the system's counters: a part of a tick's time may be counted for the tick before or after it. */
    private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final double ROUNDING_SHARE = 0.15;

    private final Life life;

    /** The processor time of each of the last ticks from its step on. The physics thread writes it before {@link #newest}. */
    private final AtomicLongArray ownNanos = new AtomicLongArray(KEPT_TICKS);

    // Written by the physics thread. Release: pairs with the acquire of a thread that looks a tick up; without it that
    // thread could see the tick and not its time.
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
        ownNanos.setOpaque(place(tick.tick()), ThreadCounts.cpuNanos() - cpuNanosBefore); // ordered by newest's release
        newest.setRelease(tick.tick());
    }

    private static int place(long tick) {
        return (int) (tick & (KEPT_TICKS - 1));
    }

    /** Checks a verdict. Threads of the watch call it. */
    @Override
    public void late(long tick, long fromNanos, long toNanos, TakenTime judged) {
        long last = newest.getAcquire();
        if (tick > last || tick <= last - KEPT_TICKS || judged.unknownNanos() > ROUNDING_NANOS) {
            return; // the service ended before the tick's publication, or the system does not count
        }
        TakenTime taken = life.trial.isPlanted(Promise.BLAMED)
                ? new TakenTime(judged.othersNanos(), judged.ticksNanos(), judged.jvmNanos(), 0)
                : judged;
        long own = Math.min(toNanos - fromNanos, ownNanos.getOpaque(place(tick)));
        long leastNanos = own - ROUNDING_NANOS - (long) (ROUNDING_SHARE * own);
        if (leastNanos <= 0) {
            return; // the time is too short to judge a verdict
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
