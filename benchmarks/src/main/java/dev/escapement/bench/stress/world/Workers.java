package dev.escapement.bench.stress.world;

import dev.escapement.state.thread.ThreadEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Threads that do the same again and again while something else goes on. */
public final class Workers {

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final IntConsumer round;
    private final List<Thread> threads = new ArrayList<>();

    // Volatile, because the workers look at it between two rounds; nothing else is ordered by it.
    private volatile boolean ended;

    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    private Workers(int count, IntConsumer round) {
        this.round = round;
        for (int i = 0; i < count; i++) {
            int worker = i;
            Thread thread = new Thread(() -> work(worker), "stress-worker-" + worker);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    /**
     * Lets threads work as long as something else goes on, and ends them.
     *
     * @param count     how many threads
     * @param round     what each does again and again, a bounded time each; it is told which thread it is, from 0
     * @param meanwhile what goes on, on the calling thread
     * @throws IllegalStateException if a round threw, or a thread does not end
     */
    public static void during(int count, IntConsumer round, Runnable meanwhile) {
        Workers workers = new Workers(count, round);
        workers.threads.forEach(Thread::start);
        try {
            meanwhile.run();
        } finally {
            workers.end();
        }
        RuntimeException thrown = workers.failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a worker failed: " + thrown, thrown);
        }
    }

    private void work(int worker) {
        try {
            while (!ended) {
                round.accept(worker);
            }
        } catch (RuntimeException thrown) {
            failure.compareAndSet(null, thrown);
        }
    }

    private void end() {
        ended = true;
        for (Thread thread : threads) {
            if (!ThreadEnd.await(thread, END_NANOS)) {
                failure.compareAndSet(null, new IllegalStateException(thread.getName() + " does not end"));
            }
        }
    }
}
