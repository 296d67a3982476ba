package dev.escapement.bench.pacing;

/** The usual sleep of game loops: once, for the whole milliseconds that are left of the frame. */
final class SleepRest implements DeadlineWait {

    @Override
    public void awaitUntil(long deadlineNanos) throws InterruptedException {
        long restMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (restMillis > 0) {
            Thread.sleep(restMillis);
        }
    }
}
