package dev.escapement.transport.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The clock of a driver, and of its clients in this process. It does not jump when the clock of the machine is set, and stands still while
 * the process or its machine is suspended: otherwise Aeron would afterwards consider every client dead, and its own threads, too.
 *
 * <p>Any thread may call any method. Reading it takes no lock, except after a jump.
 */
final class SteadyClock implements EpochClock, NanoClock {

    /** Of the time between two readings at most this much counts: far more than a driver's thread needs, less than any time-out. */
    static final long MAX_JUMP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** A reading is stored only this long after the last one, so that not every reading writes. */
    private static final long NOTED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final NanoClock clock;
    private final long aheadNanos;

    // The reading stored last, of the other clock. A thread that sees the one after a jump also sees leftOutNanos.
    private final AtomicLong readNanos;

    // How much was left out. Read before and after the clock, so that both belong together.
    private final AtomicLong leftOutNanos = new AtomicLong();

    /** Creates a clock that follows {@code clock}, and whose {@link #time} starts at {@code now}. */
    SteadyClock(NanoClock clock, EpochClock now) {
        this.clock = clock;
        long nanos = clock.nanoTime();
        aheadNanos = TimeUnit.MILLISECONDS.toNanos(now.time()) - nanos;
        readNanos = new AtomicLong(nanos);
    }

    @Override
    public long nanoTime() {
        while (true) {
            long leftOut = leftOutNanos.get();
            long read = readNanos.get();
            long now = clock.nanoTime();
            if (now - read > MAX_JUMP_NANOS) {
                leaveOut(now);
            } else {
                if (now - read > NOTED_NANOS) {
                    readNanos.compareAndSet(read, now); // not if another thread has noted a later time
                }
                if (leftOut == leftOutNanos.get()) {
                    return now - leftOut;
                }
            }
        }
    }

    private synchronized void leaveOut(long now) {
        long beyond = now - readNanos.get() - MAX_JUMP_NANOS;
        if (beyond > 0) { // otherwise another thread has noted it
            leftOutNanos.addAndGet(beyond);
            readNanos.set(now);
        }
    }

    @Override
    public long time() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime() + aheadNanos);
    }
}
