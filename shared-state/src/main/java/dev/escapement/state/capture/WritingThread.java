package dev.escapement.state.capture;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Refuses poses from every thread but the one that runs the capture. An attempt of another thread fails the capture, too: that thread's
 * poses are missing in the tick, even if the thread ignores its exception.
 *
 * <p>Between two captures the last thread stays stored: a reference stored in each tick costs a garbage collector such as G1 a scan of this
 * object. Among a thousand worlds that took a tenth of a core.
 */
final class WritingThread {

    /** The thread of the current capture, or of the last one. */
    private @Nullable Thread thread;

    // Volatile: the store in begin, after that of "thread", releases it to the load in require. Else a caller
    // could read an earlier thread, perhaps itself, and write poses into a capture of another one.
    private volatile boolean capturing;

    /**
     * The exception of the first attempt of another thread. Volatile: that thread stores it before it throws it, and requireAlone reads it;
     * else a tick could be published without that thread's poses.
     */
    private final AtomicReference<@Nullable IllegalStateException> intrusion = new AtomicReference<>();

    void begin() {
        Thread caller = Thread.currentThread();
        if (thread != caller) {
            thread = caller;
        }
        capturing = true;
    }

    void end() {
        capturing = false;
    }

    /** Throws unless the caller runs the capture. */
    void require() {
        boolean isCapturing = capturing;
        Thread last = thread;
        if (!isCapturing || last != Thread.currentThread()) {
            refuse(isCapturing ? last : null, Thread.currentThread());
        }
    }

    /**
     * Checks that no other thread tried to write. An attempt after this check fails the next tick.
     *
     * @throws IllegalStateException if one did
     */
    void requireAlone(long tick) {
        IllegalStateException first = intrusion.get();
        if (first != null) {
            throw new IllegalStateException(
                    "tick " + tick + " is not complete: another thread tried to write poses", first);
        }
    }

    private void refuse(@Nullable Thread capturing, Thread caller) {
        if (capturing == null) {
            throw new IllegalStateException("poses can be written during the capture of a tick only");
        }
        IllegalStateException refusal = new IllegalStateException(
                "poses can be written by the thread that captures only: thread '" + caller.getName()
                        + "' tried while thread '" + capturing.getName() + "' captures; compute on other threads, and"
                        + " write on this one");
        intrusion.compareAndSet(null, refusal);
        throw refusal;
    }
}
