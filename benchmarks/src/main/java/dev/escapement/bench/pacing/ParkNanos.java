package dev.escapement.bench.pacing;

import java.util.concurrent.locks.LockSupport;

/** Parks until the deadline, again if woken early. */
final class ParkNanos implements DeadlineWait {

    @Override
    public void awaitUntil(long deadlineNanos) {
        long restNanos;
        while ((restNanos = deadlineNanos - System.nanoTime()) > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(restNanos);
        }
    }
}
