package dev.escapement.bench.stress.scenario;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for an event by polling: for what has to happen on any machine, however slow, 30 s at most. Any thread. */
final class Polling {

    private static final long LOOK_NANOS = 200_000;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Polling() {}

    /** Whether it came true within 30 s. */
    static boolean await(BooleanSupplier event) {
        return await(MAX_NANOS, event);
    }

    /** Whether it came true within this many nanoseconds. */
    static boolean await(long maxNanos, BooleanSupplier event) {
        long deadlineNanos = System.nanoTime() + maxNanos;
        while (!event.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** Lets time pass. */
    static void pass(long nanos) {
        await(nanos, () -> false);
    }

    /** Lets time pass and keeps the core busy: more exact than parking, and shorter than what that takes. */
    static void spin(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        while (System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
    }
}
