package dev.escapement.state.thread;

/**
 * Waits for a thread to end.
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
        boolean interrupted = false;
        long deadlineNanos = System.nanoTime() + waitNanos;
        long remaining;
        while (thread.isAlive() && (remaining = deadlineNanos - System.nanoTime()) > 0) {
            try {
                thread.join(remaining / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
