package dev.escapement.transport.aeron;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs all streams of a driver on one daemon thread, one after the other: the fewer threads wake up, the more worlds a machine can run. The
 * thread exists as long as a stream does.
 */
final class StreamThread {

    private final String name;

    // Written with the lock. Volatile: the thread reads them before each round.
    private volatile AeronStream[] streams = {};

    // Written with the lock. Volatile: a thread that closes a stream wakes it. Null while there is no stream.
    private volatile @Nullable Thread thread;

    StreamThread(String name) {
        this.name = name;
    }

    /** Any thread. */
    synchronized void add(AeronStream stream) {
        if (thread == null) {
            Thread started = new Thread(this::run, name);
            started.setDaemon(true);
            started.start(); // if it cannot start, nothing has changed
            thread = started;
        }
        AeronStream[] more = Arrays.copyOf(streams, streams.length + 1);
        more[streams.length] = stream;
        streams = more;
        wake();
    }

    private void run() {
        do {
            long waitNanos = Long.MAX_VALUE;
            for (AeronStream stream : streams) {
                waitNanos = Math.min(waitNanos, stream.run());
            }
            if (waitNanos > 0) {
                LockSupport.parkNanos(waitNanos);
            }
        } while (isNeeded());
    }

    /** Forgets the streams that have ended. */
    private boolean isNeeded() {
        for (AeronStream stream : streams) {
            if (stream.hasEnded()) {
                synchronized (this) {
                    streams = Arrays.stream(streams)
                            .filter(one -> !one.hasEnded())
                            .toArray(AeronStream[]::new);
                    if (streams.length == 0) {
                        thread = null;
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Any thread: a stream has something to do. */
    void wake() {
        LockSupport.unpark(thread);
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }
}
