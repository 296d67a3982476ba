package dev.escapement.physics;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes the futures of commands on a thread of its own, so that what users hang on them takes no time of the physics thread's.
 * The thread comes with the first answer and goes when there was none for a minute.
 *
 * <p>Not the common pool: where it has one thread, every answer would start another one, from the physics thread. The queue takes
 * no lock, so that this thread cannot hold up the other.
 */
final class AnswerThread {

    private static final long KEEP_SECONDS = 60;

    private AnswerThread() {}

    static Executor create() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, KEEP_SECONDS, TimeUnit.SECONDS, new LinkedTransferQueue<>(), AnswerThread::daemon);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "escapement-answers");
        thread.setDaemon(true);
        return thread;
    }
}
