package dev.escapement.transport.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The clock of a driver, and of all in this process that uses it. It does not jump when the clock of the machine is set, and stands still while
 * the process does, for it was stopped, or its machine was: Aeron would take what gave signs of life before for dead, also its own parts.
 *
 * <p>Any thread may call any method. Reading it takes no lock, except after a jump.
 */
final class SteadyClock implements EpochClock, NanoClock {

    /** Far more than the time between two readings of a driver's thread, and less than any time-out. All beyond it is left out. */
    static final long MAX_JUMP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** So that not every reading writes. */
    private static final long NOTED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final NanoClock clock;
    private final long aheadNanos;

    // When it was read, by the other clock. Who sees what a thread has set after a jump sees what was left out, too.
    private final AtomicLong readNanos;

    // How much was left out. Read twice: a reading is of one and the same.
    private final AtomicLong leftOutNanos = new AtomicLong();

    /** Goes on from the time that another clock tells now. */
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
