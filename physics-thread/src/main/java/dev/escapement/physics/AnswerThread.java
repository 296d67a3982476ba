package dev.escapement.physics;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes the futures of commands on a thread of its own, so that what users hang on them takes no time of the physics thread's.
 * The thread comes with the first answer and goes when there was none for a minute, or when it is told that there will be none.
 *
 * <p>Not the common pool: where it has one thread, every answer would start another one, from the physics thread. The queue takes
 * no lock, so that this thread cannot hold up the other. Any thread may call any method.
 */
final class AnswerThread implements Executor {

    private static final long KEEP_SECONDS = 60;
    private static final long KEEP_AT_END_MILLIS = 1;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1, 1, KEEP_SECONDS, TimeUnit.SECONDS, new LinkedTransferQueue<>(), AnswerThread::daemon);

    private AnswerThread() {
        thread.allowCoreThreadTimeOut(true);
    }

    static AnswerThread create() {
        return new AnswerThread();
    }

    @Override
    public void execute(Runnable answer) {
        thread.execute(answer);
    }

    /** The thread goes at once when it has nothing to do. An answer that comes nevertheless, of a command that hung say, is given. */
    void end() {
        thread.setKeepAliveTime(KEEP_AT_END_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "escapement-answers");
        thread.setDaemon(true);
        return thread;
    }
}
