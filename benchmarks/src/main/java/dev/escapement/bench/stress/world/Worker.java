package dev.escapement.bench.stress.world;

import dev.escapement.state.thread.ThreadEnd;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread that works until it is closed; whoever closes it gets to know what went wrong. */
final class Worker implements AutoCloseable {

    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Thread thread;

    // Volatile, because the thread looks at it between two pieces of work; nothing else is ordered by it.
    private volatile boolean ended;

    // Written before the thread ends, read after.
    private @Nullable Throwable failure;

    private Worker(String name, Consumer<Worker> work) {
        thread = new Thread(() -> run(work), name);
        thread.setDaemon(true);
    }

    /**
     * Starts a thread.
     *
     * @param work what it does while {@link #goesOn()}, in pieces of bounded time
     */
    static Worker start(String name, Consumer<Worker> work) {
        Worker worker = new Worker(name, work);
        worker.thread.start();
        return worker;
    }

    private void run(Consumer<Worker> work) {
        try {
            work.accept(this);
        } catch (Throwable thrown) { // OutOfMemoryError too: what a scenario saw after it would mean nothing
            failure = thrown;
        }
    }

    /** For the thread itself: whether it is to do more. */
    boolean goesOn() {
        return !ended;
    }

    /** Whether there is nobody any more who works. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Ends it after the piece of work that it is at, without waiting for that. */
    void end() {
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
