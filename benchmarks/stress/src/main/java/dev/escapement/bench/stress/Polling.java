package dev.escapement.bench.stress;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition by polling it, by default for at most 30 s, which is enough for a slow machine. Any thread. */
final class Polling {

    private static final long MIN_LOOK_NANOS = 200_000;
    private static final long MAX_LOOK_NANOS = 5_000_000;
    private static final int LOOKS = 1_000;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Polling() {}

    static boolean await(BooleanSupplier event) {
        return await(MAX_NANOS, event);
    }

    static boolean await(long maxNanos, BooleanSupplier event) {
        long deadlineNanos = System.nanoTime() + maxNanos;
        // Sleeps between two polls. Dozens of threads wait at the same time, and each poll takes a core from the
        // measured threads.
        long lookNanos = Math.max(MIN_LOOK_NANOS, Math.min(MAX_LOOK_NANOS, maxNanos / LOOKS));
        while (!event.getAsBoolean()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos < 0) {
                return false;
            }
            LockSupport.parkNanos(Math.min(lookNanos, leftNanos));
        }
        return true;
    }

    static void pass(long nanos) {
        long deadlineNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = deadlineNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
