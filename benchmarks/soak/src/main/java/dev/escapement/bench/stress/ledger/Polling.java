package dev.escapement.bench.stress.ledger;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition by polling: at most 30 s, enough for a slow machine. Any thread. */
public final class Polling {

    private static final long LOOK_NANOS = 200_000;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Polling() {}

    /** Returns whether it became true within 30 s. */
    public static boolean await(BooleanSupplier event) {
        return await(MAX_NANOS, event);
    }

    /** Returns whether it became true within {@code nanos}. */
    public static boolean await(long maxNanos, BooleanSupplier event) {
        long deadlineNanos = System.nanoTime() + maxNanos;
        while (!event.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** Sleeps. */
    public static void pass(long nanos) {
        await(nanos, () -> false);
    }
}
