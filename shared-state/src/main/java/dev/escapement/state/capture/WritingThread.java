package dev.escapement.state.capture;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets only the thread that runs the capture write poses. It remembers that another thread tried: that thread's poses are missing in the
 * tick, even if its exception is ignored.
 *
 * <p>One capture at a time, which {@link Capture} sees to. The thread of the last one stays known: storing a reference in each tick costs a garbage collector as G1 a pass
 * over what it is stored in, among a thousand worlds a tenth of a core.
 */
final class WritingThread {

    /** The thread that captures, or has captured last. Published by {@link #capturing}. */
    private @Nullable Thread thread;

    // Volatile: a thread that sees it set by another one sees that thread, and not itself as of an earlier capture.
    private volatile boolean capturing;

    /** The exception of the first attempt of another thread, which stores it before it throws it. */
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

    /** Throws unless the caller is the thread that runs the capture. */
    void require() {
        boolean isCapturing = capturing;
        Thread last = thread;
        if (!isCapturing || last != Thread.currentThread()) {
            refuse(isCapturing ? last : null, Thread.currentThread());
        }
    }

    /**
     * Checks that no other thread has tried to write. An attempt after this check fails the next tick.
     *
     * @throws IllegalStateException if one has
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
