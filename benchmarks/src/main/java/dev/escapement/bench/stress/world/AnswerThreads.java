package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.thread.ThreadEnd;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The threads that complete futures, each of a service of its own, and whether they end with it. One thread. */
public final class AnswerThreads {

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int MOST = 64;

    private final Trial trial;
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    /** Looks at threads of services that are closed soon. */
    public AnswerThreads(Trial trial) {
        this.trial = trial;
    }

    /** Remembers which thread completes a future that is not completed yet; of many, some are checked now. */
    public <T> CompletableFuture<T> follow(CompletableFuture<T> future) {
        while (threads.size() > MOST) {
            checkEldest();
        }
        return future.whenComplete((answer, failure) -> threads.add(Thread.currentThread()));
    }

    /** Checks that all have ended, or do so now. */
    public void checkEnd() {
        while (!threads.isEmpty()) {
            checkEldest();
        }
    }

    private void checkEldest() {
        Thread eldest = threads.remove();
        boolean ended = ThreadEnd.await(eldest, END_NANOS);
        trial.check(Promise.THREADS_END)
                .that(
                        ended != trial.isPlanted(Promise.THREADS_END),
                        () -> "the thread that completed futures is still there: " + eldest);
    }
}
