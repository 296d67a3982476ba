package dev.escapement.physics.request;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes the futures of commands on a separate thread, so that callbacks attached to them take no time of the physics thread. The first
 * answer starts the thread. It ends after a minute without answers, or soon after {@link #end()}.
 *
 * <p>A callback may block. Before {@link #end()} that delays the answers behind it, and full queues refuse commands. After it up to
 * {@value #MAX_THREADS} threads complete the remaining futures. If that many block for ever, the futures behind them are never completed.
 *
 * <p>It does not use the common pool: if that has only one thread, the physics thread would start a thread for every answer. The queue is
 * lock-free, so that this thread cannot delay the physics thread. If there is no memory for the thread, the calling thread completes the
 * future. Any thread may call any method.
 *
 * @see CommandQueue
 */
public final class AnswerThread implements CommandQueue.Answers {

    private static final long KEEP_SECONDS = 60;
    private static final int MAX_THREADS = 8;

    private final ThreadPoolExecutor thread;

    private AnswerThread(ThreadFactory threads) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                KEEP_SECONDS,
                TimeUnit.SECONDS,
                new LinkedTransferQueue<>(),
                work -> daemon(threads, work),
                (answer, ended) -> daemon(threads, answer).start()); // for an answer that comes after the end
        thread.allowCoreThreadTimeOut(true);
    }

    /** {@return an answer thread that is not started yet} */
    public static AnswerThread create() {
        return create(Thread::new);
    }

    static AnswerThread create(ThreadFactory threads) {
        return new AnswerThread(threads);
    }

    @Override
    public void execute(Runnable answer) {
        try {
            thread.execute(answer);
        } catch (OutOfMemoryError noMemoryForAThread) {
            answer.run(); // on this thread: better slow than never
        }
    }

    /**
     * Ends the thread when it has completed all futures; more threads help with those that wait. With a shutdown and not a shorter keep-alive
     * time, which would interrupt a waiting thread: then the queue of JDK 17 may spin for ever without parking (JDK-8301341).
     */
    @Override
    public void end() {
        thread.setMaximumPoolSize(MAX_THREADS);
        try {
            thread.setCorePoolSize(MAX_THREADS); // also starts them, one for each answer that waits
        } catch (OutOfMemoryError noMemoryForAThread) {
            // The existing threads complete them alone.
        }
        thread.shutdown();
    }

    private static Thread daemon(ThreadFactory threads, Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setName("escapement-answers");
        thread.setDaemon(true);
        return thread;
    }
}
