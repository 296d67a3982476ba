package dev.escapement.bench.pacing;

/** Passes the time until a deadline. */
@FunctionalInterface
interface DeadlineWait {

    /**
     * Returns about then.
     *
     * @param deadlineNanos an instant of {@link System#nanoTime()}
     */
    void awaitUntil(long deadlineNanos) throws InterruptedException;
}
