package dev.escapement.state.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits for the end of a thread, or of its task.
 *
 * @see Thread#join(long)
 */
public final class ThreadEnd {

    private ThreadEnd() {}

    /**
     * Waits for the end of a thread. An interrupt does not end the wait and stays pending. If this returns true, the caller sees all that
     * the thread did. A thread that waits for itself gets false immediately.
     *
     * @param thread    the thread
     * @param waitNanos the longest wait
     * @return whether it has ended
     */
    public static boolean await(Thread thread, long waitNanos) {
        if (thread == Thread.currentThread()) {
            return false;
        }
        return await(() -> !thread.isAlive(), waitNanos, leftNanos -> thread.join(leftNanos / 1_000_000 + 1));
    }

    /**
     * Waits for a latch. An interrupt does not end the wait and stays pending. If this returns true, the caller sees all that happened
     * before the last count.
     *
     * @param end       the latch
     * @param waitNanos the longest wait
     * @return whether its count is zero
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
