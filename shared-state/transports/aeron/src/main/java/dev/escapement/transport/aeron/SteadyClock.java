package dev.escapement.transport.aeron;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The clock of a driver, and of its clients in this process. The clock does not jump when the machine's clock is set, and stands still
 * while the process or its machine is suspended. Otherwise Aeron would afterwards consider every client dead, and its own threads, too.
 *
 * <p>Any thread may call any method.
 */
final class SteadyClock implements EpochClock, NanoClock {

    /**
     * The most by which this clock advances between two readings. A driver's thread reads far more often, and the time-outs after which
     * Aeron gives up a driver, a client or an image are longer.
     */
    static final long MAX_JUMP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final NanoClock clock;
    private final long aheadNanos;

    /** The last reading of the clock that this one follows. */
    private long readNanos;

    private long leftOutNanos;

    /** Creates a clock that follows {@code clock}, and whose {@link #time} starts at {@code now}. */
    SteadyClock(NanoClock clock, EpochClock now) {
        this.clock = clock;
        readNanos = clock.nanoTime();
        aheadNanos = TimeUnit.MILLISECONDS.toNanos(now.time()) - readNanos;
    }

    /**
     * Reads the followed clock under the lock, so that no thread sees time go back. A driver and its clients read this clock at most every
     * 100 us, so the lock costs little.
     */
    @Override
    public synchronized long nanoTime() {
        long now = clock.nanoTime();
        leftOutNanos += Math.max(0, now - readNanos - MAX_JUMP_NANOS);
        readNanos = now;
        return now - leftOutNanos;
    }

    @Override
    public long time() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime() + aheadNanos);
    }
}
