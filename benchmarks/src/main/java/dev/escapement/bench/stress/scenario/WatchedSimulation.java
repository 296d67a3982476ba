package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.Simulation;
import dev.escapement.state.thread.ThreadEnd;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A simulation that notes how often it was closed, and by which thread. States {@link Promise#CLOSED_ONCE}. */
class WatchedSimulation extends ForwardingSimulation {

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AtomicInteger closings = new AtomicInteger();

    // Volatile: written by the thread that closes it, read by threads that have waited for the closing to be counted.
    private volatile @Nullable Thread closer;

    WatchedSimulation(Simulation simulation) {
        super(simulation);
    }

    @Override
    public void close() {
        super.close();
        closer = Thread.currentThread();
        closings.incrementAndGet();
    }

    /** Checks that it was closed, and by a thread that has ended or does so now. After the service was closed or has failed. */
    final void checkEnd(Trial trial) {
        Polling.await(() -> closings.get() > 0);
        Thread thread = closer;
        boolean ended = thread != null && ThreadEnd.await(thread, END_NANOS);
        trial.check(Promise.THREADS_END, ended, () -> "the thread that ticked is still there: " + thread);
        int once = trial.isPlanted(Promise.CLOSED_ONCE) ? 2 : 1;
        trial.check(Promise.CLOSED_ONCE)
                .that(closings.get() == once, () -> "a simulation was closed " + closings + " times");
    }
}
