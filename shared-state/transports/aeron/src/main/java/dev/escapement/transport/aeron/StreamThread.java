package dev.escapement.transport.aeron;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs all streams of a driver on one daemon thread, one after the other. With fewer threads to wake, a machine can run more worlds. The
 * thread exists as long as a stream does.
 */
final class StreamThread {

    private final String name;

    /** The streams; written under the lock, and read by the thread before each round. */
    private final List<AeronStream> streams = new CopyOnWriteArrayList<>();

    // The thread; null while there is no stream. Written under the lock. Volatile: a thread that closes a stream wakes
    // it.
    private volatile @Nullable Thread thread;

    StreamThread(String name) {
        this.name = name;
    }

    /** Adds a stream, and starts the thread if there is none. Any thread. */
    synchronized void add(AeronStream stream) {
        if (thread == null) {
            Thread started = new Thread(this::run, name);
            started.setDaemon(true);
            started.start(); // if the thread cannot start, nothing has changed
            thread = started;
        }
        streams.add(stream);
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

    /** Removes the streams that have ended. Returns whether any remain. */
    private synchronized boolean isNeeded() {
        streams.removeIf(AeronStream::hasEnded);
        thread = streams.isEmpty() ? null : thread;
        return thread != null;
    }

    /** Wakes the thread because a stream has work. Any thread. */
    void wake() {
        LockSupport.unpark(thread);
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }
}
