package dev.escapement.bench.pacing;

/** Looks at the clock every millisecond. */
final class SleepPolling implements DeadlineWait {

    @Override
    public void awaitUntil(long deadlineNanos) throws InterruptedException {
        while (deadlineNanos - System.nanoTime() > 0) {
            Thread.sleep(1);
        }
    }
}
