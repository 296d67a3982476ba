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

/** One or more threads that work until they are closed. {@link #close} throws the first failure of a thread. */
final class Worker implements AutoCloseable {

    /** How long to wait for a thread to end. On an overloaded machine, even the start of a child process takes a minute. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final List<Thread> threads;
    private final FirstFailure failure = new FirstFailure();

    // Volatile: the threads read it between two pieces of work. No other data depends on this write.
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
        } catch (Throwable thrown) { // Throwable, because after an OutOfMemoryError, too, the checks mean nothing
            String name = Thread.currentThread().getName();
            failure.add(new IllegalStateException("the thread " + name + " failed: " + thrown, thrown));
        }
    }

    /**
     * Starts {@code count} threads. Each calls {@code work} once with its index from 0; the work must return soon after {@link
     * #isRunning()} becomes false.
     */
    static Worker start(int count, String name, ObjIntConsumer<Worker> work) {
        return new Worker(count, name, work);
    }

    static Worker start(String name, Consumer<Worker> work) {
        return new Worker(1, name, (self, index) -> work.accept(self));
    }

    boolean isRunning() {
        return !ended;
    }

    /** Pauses the calling worker for {@code nanos}, or until it must end. Returns whether it must continue. */
    boolean pause(long nanos) {
        return !Polling.await(nanos, () -> ended);
    }

    boolean hasEnded() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    Optional<Throwable> failure() {
        return failure.cause();
    }

    /**
     * Tells the threads to end, and waits at most 120 s for each. Returns whether all have ended; if so, the caller sees what they wrote.
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

    /** Ends the threads. Throws if a thread threw, or does not end. */
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
