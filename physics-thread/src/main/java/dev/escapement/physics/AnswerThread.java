package dev.escapement.physics;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes the futures of commands on a thread of its own, so that what users hang on them takes no time of the physics thread's.
 * The thread comes with the first answer and goes when there was none for a minute, or when it is told that there will be none.
 *
 * <p>Not the common pool: where it has one thread, every answer would start another one, from the physics thread. The queue takes
 * no lock, so that this thread cannot hold up the other. Where there is no memory for the thread, who has an answer gives it
 * itself. Any thread may call any method.
 */
final class AnswerThread implements Executor {

    private static final long KEEP_SECONDS = 60;
    private static final long KEEP_AT_END_MILLIS = 1;

    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, KEEP_SECONDS, TimeUnit.SECONDS, new LinkedTransferQueue<>(), this::daemon);

    private final ThreadFactory threads;

    private AnswerThread(ThreadFactory threads) {
        this.threads = threads;
        thread.allowCoreThreadTimeOut(true);
    }

    static AnswerThread create() {
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

    /** The thread goes at once when it has nothing to do. An answer that comes nevertheless, of a command that hung say, is given. */
    void end() {
        thread.setKeepAliveTime(KEEP_AT_END_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Thread daemon(Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setName("escapement-answers");
        thread.setDaemon(true);
        return thread;
    }
}
