package dev.escapement.state.thread;

/**
 * Waits for a thread to end.
 *
 * @see Thread#join(long)
 */
public final class ThreadEnd {

    private ThreadEnd() {}

    /**
     * Waits, for a bounded time, and not shortened by an interrupt, which stays pending. When it returns true, all that the
     * thread did is visible to the caller. The thread itself gets false at once.
     *
     * @param thread    the thread that is about to end
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
