package dev.escapement.physics.request;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Completes the futures of commands on a thread of its own, so that what users attach to them takes no time of the physics thread.
 * The thread is started by the first answer. It ends after a minute without answers, or soon after {@link #end()}.
 *
 * <p>What is attached to a future may block. Until the end that delays the answers behind it, and the queues refuse commands. After the
 * end other threads give the remaining answers: one thread more each time that none was given for a while, up to {@value #MOST_THREADS}.
 * Where so many block for ever, the answers behind them are not given.
 *
 * <p>Not the common pool: where that has one thread, every answer would start another one, from the physics thread. The queue takes
 * no lock, so that this thread cannot delay the physics thread. Where there is no memory for the thread, the thread that has an answer
 * gives it itself. Any thread may call any method.
 *
 * @see CommandQueue
 */
public final class AnswerThread implements CommandQueue.Answers {

    private static final long KEEP_SECONDS = 60;
    private static final int MOST_THREADS = 8;
    private static final long LOOK_NANOS = 10_000_000;

    private final ThreadPoolExecutor thread;
    private final ThreadFactory threads;

    private final AtomicBoolean helping = new AtomicBoolean();

    private AnswerThread(ThreadFactory threads) {
        this.threads = threads;
        thread = new ThreadPoolExecutor(
                1,
                1,
                KEEP_SECONDS,
                TimeUnit.SECONDS,
                new LinkedTransferQueue<>(),
                work -> daemon(threads, work),
                (answer, ended) -> daemon(threads, answer).start()); // an answer that comes after the end
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates one that has no thread yet.
     *
     * @return where futures are completed
     */
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
            answer.run(); // late or slow is better than never
        }
    }

    /**
     * Ends the thread as soon as it has given all answers. By a shutdown and not by a shorter keep-alive time: that interrupts a thread
     * that goes on waiting, after which the queue of JDK 17 may spin for ever without parking (JDK-8301341).
     */
    @Override
    public void end() {
        thread.shutdown();
        helpWithTheRest();
    }

    /** With another thread: what still blocks this one must not delay the answers of a restarted service. */
    @Override
    public AnswerThread succeededBy() {
        return create(threads);
    }

    private void helpWithTheRest() {
        if (needsHelp() && helping.compareAndSet(false, true)) {
            try {
                daemon(threads, this::help).start();
            } catch (OutOfMemoryError noMemoryForAThread) {
                helping.set(false); // the existing thread goes on alone
            }
        }
    }

    private boolean needsHelp() {
        return !thread.getQueue().isEmpty() && thread.getCorePoolSize() < MOST_THREADS;
    }

    /** Adds a thread whenever no answer was given between two looks. */
    private void help() {
        do {
            while (needsHelp()) {
                long given = thread.getCompletedTaskCount();
                LockSupport.parkNanos(LOOK_NANOS);
                if (needsHelp() && thread.getCompletedTaskCount() == given) {
                    addThread();
                }
            }
            helping.set(false); // an answer after this looks for help again; one just before it has not
        } while (needsHelp() && helping.compareAndSet(false, true));
    }

    private void addThread() {
        int more = thread.getCorePoolSize() + 1;
        thread.setMaximumPoolSize(more);
        try {
            thread.setCorePoolSize(more); // and starts it
        } catch (OutOfMemoryError noMemoryForAThread) {
            // The next answer or the next look tries another one.
        }
    }

    private static Thread daemon(ThreadFactory threads, Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setName("escapement-answers");
        thread.setDaemon(true);
        return thread;
    }
}
