package dev.escapement.physics.request;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes the futures of commands on a separate thread, so that their callbacks take no time of the physics thread. The first answer
 * starts the thread. It ends after a minute without answers, or soon after {@link #end()}.
 *
 * <p>A callback may block. Before {@link #end()} that delays the answers behind it, and full queues refuse commands. After {@link #end()},
 * up to {@value #MAX_THREADS} threads complete the remaining futures. If that many block for ever, the futures behind them are never
 * completed. A host whose services share an answer thread calls {@link #helpIfStuck()}, which adds threads before the end, too.
 *
 * <p>It does not use the common pool: where that pool has only one thread, {@code CompletableFuture} starts a new thread for each task, and
 * the start would take time of the physics thread. The queue is lock-free, so that this thread cannot delay the physics thread. If there is
 * no memory for the thread, the calling thread completes the future. Any thread may call any method.
 *
 * @see CommandQueue
 */
public final class AnswerThread implements CommandQueue.Answers {

    private static final String NAME = "escapement-answers";
    private static final long KEEP_SECONDS = 60;
    private static final int MAX_THREADS = 8;

    private final ThreadPoolExecutor pool;

    /** The number of futures that were complete at the last {@link #helpIfStuck()}. Guarded by {@code this}, like {@code waitedBefore}. */
    private long completedBefore;

    private boolean waitedBefore;

    /**
     * Creates an answer thread that is not started yet.
     *
     * @param threads creates the thread; {@code Thread::new} but in tests
     */
    public AnswerThread(ThreadFactory threads) {
        pool = new ThreadPoolExecutor(
                1,
                1,
                KEEP_SECONDS,
                TimeUnit.SECONDS,
                new LinkedTransferQueue<>(),
                work -> daemon(threads, work),
                (answer, ended) -> daemon(threads, answer).start()); // an answer after the end gets a thread of its own
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable answer) {
        try {
            pool.execute(answer);
        } catch (OutOfMemoryError noMemoryForAThread) {
            answer.run(); // on the calling thread: better slow than never
        }
    }

    /**
     * Ends the thread when it has completed all futures. Uses a shutdown, and not a shorter keep-alive time, which would interrupt a
     * waiting thread. That thread might then spin for ever in the queue of JDK 17 (JDK-8301341).
     */
    @Override
    public synchronized void end() {
        pool.shutdown(); // from now on the queue only gets shorter: each new answer gets a thread of its own
        useThreads(MAX_THREADS);
    }

    /**
     * Waits until all callbacks have run, after {@link #end}. A callback does not wait, because it would wait for itself.
     *
     * @param maxNanos the longest wait; an interrupt ends it, and stays pending
     * @return whether all have run
     */
    public boolean awaitEnd(long maxNanos) {
        try {
            return !Thread.currentThread().getName().equals(NAME)
                    && pool.awaitTermination(maxNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Adds a thread if futures waited at the last call and now, and none was completed in between. */
    public synchronized void helpIfStuck() {
        long completed = pool.getCompletedTaskCount();
        boolean waits = !pool.getQueue().isEmpty();
        if (waits && waitedBefore && completed == completedBefore) {
            useThreads(Math.min(MAX_THREADS, pool.getCorePoolSize() + 1));
        }
        completedBefore = completed;
        waitedBefore = waits;
    }

    /**
     * Sets the number of threads, and starts threads for the answers that wait. The caller holds the lock of this object: the pool throws
     * if another call sets one of its two sizes in between.
     */
    private void useThreads(int count) {
        pool.setMaximumPoolSize(count);
        try {
            pool.setCorePoolSize(count);
            while (pool.isShutdown()
                    && pool.prestartCoreThread()) {} // also starts threads for which there was no memory earlier
        } catch (OutOfMemoryError noMemoryForAThread) {
            // The next call tries again; until then the existing threads complete the futures.
        }
    }

    private static Thread daemon(ThreadFactory threads, Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setName(NAME);
        thread.setDaemon(true);
        return thread;
    }
}
