package dev.escapement.bench.pacing;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Waiting;

/** Escapement's pacer, but where it spins, this gives the core away to whoever else can run. */
final class YieldBeforeDeadline implements DeadlineWait {

    private final Pacer pacer = new Pacer(NanoClock.system(), new YieldingWaiting());

    @Override
    public void awaitUntil(long deadlineNanos) {
        pacer.awaitUntil(deadlineNanos);
    }

    private static final class YieldingWaiting implements Waiting {
        @Override
        public void park(long nanos) {
            Waiting.system().park(nanos);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // what comes of it is what is to be shown
        public void spin() {
            Thread.yield();
        }
    }
}
