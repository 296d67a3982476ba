package dev.escapement.bench.stress.world;

import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A thread that works until it is closed; the thread that closes it is told what went wrong. */
public final class Worker implements AutoCloseable {

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Thread thread;

    // Volatile, because the thread looks at it between two pieces of work; nothing else is ordered by it.
    private volatile boolean ended;

    // Written before the thread ends, read after.
    private @Nullable Throwable failure;

    private Worker(String name, Consumer<Worker> work) {
        thread = new Thread(
                () -> {
                    try {
                        work.accept(this);
                    } catch (
                            Throwable thrown) { // OutOfMemoryError too: what a scenario saw after it would mean nothing
                        failure = thrown;
                    }
                },
                name);
        thread.setDaemon(true);
    }

    /**
     * Starts a thread.
     *
     * @param work what it does while {@link #goesOn()}, in pieces of bounded time
     */
    public static Worker start(String name, Consumer<Worker> work) {
        Worker worker = new Worker(name, work);
        worker.thread.start();
        return worker;
    }

    /**
     * Starts a thread that does the same at a steady rate.
     *
     * @param round what it does, a bounded time each
     * @param atEnd what it does at its end, also if a round threw
     */
    public static Worker start(String name, TickRate rate, Runnable round, Runnable atEnd) {
        return start(name, self -> {
            try {
                Pacer pacer = Pacer.system();
                long originNanos = System.nanoTime();
                for (long number = 1; self.goesOn(); number++) {
                    pacer.awaitUntil(originNanos + rate.nanosAt(number));
                    round.run();
                }
            } finally {
                atEnd.run();
            }
        });
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
        List<Worker> workers = IntStream.range(0, count)
                .mapToObj(i -> start("stress-worker-" + i, worker -> {
                    while (worker.goesOn()) {
                        round.accept(i);
                    }
                }))
                .toList();
        Closing all = () -> closeAll(workers);
        try (all) {
            meanwhile.run();
        }
    }

    /** What closes without a checked exception. */
    private interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Ends all of them before it waits for any.
     *
     * @throws IllegalStateException if one threw, or does not end
     */
    public static void closeAll(List<Worker> workers) {
        workers.forEach(Worker::end);
        FirstFailure failure = new FirstFailure();
        for (Worker worker : workers) {
            try {
                worker.close();
            } catch (IllegalStateException e) {
                failure.add(e);
            }
        }
        failure.cause().ifPresent(cause -> {
            throw new IllegalStateException(cause.getMessage(), cause);
        });
    }

    /** For the thread itself: whether it is to do more. */
    public boolean goesOn() {
        return !ended;
    }

    /** Whether the thread has ended. */
    public boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Ends it after the piece of work that it is at, without waiting for that. */
    private void end() {
        ended = true;
    }

    /**
     * Ends it, and returns when it has ended: what it did is seen from then on.
     *
     * @throws IllegalStateException if it threw, or does not end
     */
    @Override
    public void close() {
        end();
        if (!ThreadEnd.await(thread, END_NANOS)) {
            throw new IllegalStateException("the thread " + thread.getName() + " does not end");
        }
        if (failure != null) {
            throw new IllegalStateException("the thread " + thread.getName() + " failed: " + failure, failure);
        }
    }
}
