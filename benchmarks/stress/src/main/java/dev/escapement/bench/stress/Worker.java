package dev.escapement.bench.stress;

import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One or more threads that work until they are closed. Closing them throws their first failure. */
final class Worker implements AutoCloseable {

    /** The maximum time for a thread to end. On an overloaded machine, the start of a child process alone takes a minute. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final List<Thread> threads;
    private final FirstFailure failure = new FirstFailure();

    // Volatile: the threads read it between two pieces of work; nothing else is ordered by it.
    private volatile boolean ended;

    private Worker(int count, String name, ObjIntConsumer<Worker> work) {
        threads = IntStream.range(0, count)
                .mapToObj(i -> new Thread(() -> work(work, i), name + "-" + i))
                .toList();
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
    }

    private void work(ObjIntConsumer<Worker> work, int index) {
        try {
            work.accept(this, index);
        } catch (Throwable thrown) { // even an OutOfMemoryError, because the checks of a scenario mean nothing after it
            String name = Thread.currentThread().getName();
            failure.add(new IllegalStateException("the thread " + name + " failed: " + thrown, thrown));
        }
    }

    /** Starts threads that work while {@link #isRunning()}, in pieces of bounded time; each gets its index, from 0. */
    static Worker start(int count, String name, ObjIntConsumer<Worker> work) {
        return new Worker(count, name, work);
    }

    static Worker start(String name, Consumer<Worker> work) {
        return new Worker(1, name, (self, index) -> work.accept(self));
    }

    /** Whether the calling worker must continue. */
    boolean isRunning() {
        return !ended;
    }

    /** Pauses the calling worker until {@code nanos} have passed or it must end. Returns whether it must continue. */
    boolean pause(long nanos) {
        return !Polling.await(nanos, () -> ended);
    }

    boolean hasEnded() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** Returns why a thread failed, empty if none did. Any thread. */
    Optional<Throwable> failure() {
        return failure.cause();
    }

    /**
     * Ends the threads, and waits at most 120 s for each. Returns whether they have ended; then their writes are visible to the caller.
     *
     * @throws IllegalStateException if a thread threw
     */
    boolean end() {
        ended = true;
        long left = threads.stream()
                .filter(thread -> !ThreadEnd.await(thread, END_NANOS))
                .count();
        failure.cause().ifPresent(cause -> {
            throw new IllegalStateException(cause.getMessage(), cause);
        });
        return left == 0;
    }

    /** Ends the threads; throws if one threw, or does not end. */
    @Override
    public void close() {
        if (!end()) {
            throw new IllegalStateException("one does not end: " + this);
        }
    }

    /** Lists the threads and their stacks. */
    @Override
    public String toString() {
        return stacks(threads);
    }

    static String stacks(Collection<Thread> threads) {
        return threads.stream()
                .map(thread -> thread + " at " + Arrays.toString(thread.getStackTrace()))
                .collect(Collectors.joining(", "));
    }
}
