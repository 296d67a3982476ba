package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** {@link ScheduledThreadPoolExecutor#scheduleAtFixedRate}, which runs every tick, however late. */
final class ExecutorTicker implements Ticker {

    private static final int END_SECONDS = 5;

    @Override
    public Lateness tickFor(TickRate rate, int seconds) throws InterruptedException {
        TickRecorder recorder = Lateness.recorder(seconds);
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        try {
            executor.prestartAllCoreThreads();
            long originNanos = System.nanoTime();
            Runnable tick = new Runnable() {
                private long number;

                @Override
                public void run() {
                    number++;
                    long startedNanos = System.nanoTime();
                    recorder.ticked(
                            number, originNanos + rate.nanosAt(number), startedNanos, startedNanos, startedNanos);
                }
            };
            ScheduledFuture<?> ticking =
                    executor.scheduleAtFixedRate(tick, rate.nanosAt(1), rate.nanosAt(1), TimeUnit.NANOSECONDS);
            if (executor.awaitTermination(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the executor ended by itself");
            }
            ticking.cancel(false);
        } finally {
            executor.shutdownNow();
        }
        if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the executor still runs " + END_SECONDS + " s after it was shut down");
        }
        return Lateness.of(recorder);
    }
}
