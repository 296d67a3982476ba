package dev.escapement.state.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits for a thread, or for what a thread does, to end.
 *
 * @see Thread#join(long)
 */
public final class ThreadEnd {

    private ThreadEnd() {}

    /**
     * Waits at most a given time. An interrupt does not end the wait and stays pending. If this returns true, the caller sees all that the
     * thread did. A thread that waits for itself gets false immediately.
     *
     * @param thread    the thread to wait for
     * @param waitNanos how long to wait at most
     * @return whether it has ended
     */
    public static boolean await(Thread thread, long waitNanos) {
        if (thread == Thread.currentThread()) {
            return false;
        }
        return await(() -> !thread.isAlive(), waitNanos, leftNanos -> thread.join(leftNanos / 1_000_000 + 1));
    }

    /**
     * Waits at most a given time. An interrupt does not end the wait and stays pending. If this returns true, the caller sees all that was
     * done before the end.
     *
     * @param end       reaches zero at the end
     * @param waitNanos how long to wait at most
     * @return whether it was reached
     */
    public static boolean await(CountDownLatch end, long waitNanos) {
        return await(() -> end.getCount() == 0, waitNanos, leftNanos -> end.await(leftNanos, TimeUnit.NANOSECONDS));
    }

    private interface Wait {
        void await(long leftNanos) throws InterruptedException;
    }

    private static boolean await(BooleanSupplier isOver, long waitNanos, Wait wait) {
        boolean interrupted = false;
        long deadlineNanos = System.nanoTime() + waitNanos;
        long leftNanos;
        while (!isOver.getAsBoolean() && (leftNanos = deadlineNanos - System.nanoTime()) > 0) {
            try {
                wait.await(leftNanos);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isOver.getAsBoolean();
    }
}
