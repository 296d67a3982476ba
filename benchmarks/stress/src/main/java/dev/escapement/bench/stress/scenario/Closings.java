package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.thread.ThreadEnd;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** How often something that belongs to a service was closed, and by which threads. Any thread. */
final class Closings {

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();

    /** It is closed now. */
    void add() {
        closers.add(Thread.currentThread());
    }

    /** Checks {@link Promise#THREADS_END}: who closed it has ended, or does so now. After the service was closed or has failed. */
    void checkThread(Trial trial) {
        Polling.await(() -> !closers.isEmpty());
        boolean ended = !closers.isEmpty() && closers.stream().allMatch(closer -> ThreadEnd.await(closer, END_NANOS));
        trial.check(Promise.THREADS_END, ended, () -> "the thread that ticked is still there: " + closers);
    }

    /** Checks {@link Promise#CLOSED_ONCE}, also if a thread that comes back closes it now. After the service was closed or has failed. */
    void checkOnce(Trial trial, String what) {
        Polling.await(() -> !closers.isEmpty());
        int once = trial.isPlanted(Promise.CLOSED_ONCE) ? 2 : 1;
        trial.check(Promise.CLOSED_ONCE)
                .that(closers.size() == once, () -> what + " was closed " + closers.size() + " times");
    }
}
