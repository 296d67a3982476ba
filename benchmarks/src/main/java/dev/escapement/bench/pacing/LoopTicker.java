package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.TimeUnit;

/** A loop on the calling thread that waits for one absolute deadline after the other and gives up what it missed. */
final class LoopTicker implements Ticker {

    private final DeadlineWait wait;

    LoopTicker(DeadlineWait wait) {
        this.wait = wait;
    }

    @Override
    public Lateness tickFor(TickRate rate, int seconds) throws InterruptedException {
        TickRecorder recorder = Lateness.recorder(seconds);
        long originNanos = System.nanoTime();
        long lastTick = rate.tickAt(TimeUnit.SECONDS.toNanos(seconds));
        long tick = 1;
        while (tick <= lastTick) {
            long dueNanos = originNanos + rate.nanosAt(tick);
            wait.awaitUntil(dueNanos);
            long nowNanos = System.nanoTime();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            // Early is as wrong as late; only a single sleep for the rest of a frame ends early.
            long startedNanos = dueNanos + Math.abs(nowNanos - dueNanos);
            recorder.ticked(tick, dueNanos, startedNanos, startedNanos, startedNanos);
            tick = Math.max(tick, rate.tickAt(nowNanos - originNanos)) + 1;
        }
        return Lateness.of(recorder);
    }
}
