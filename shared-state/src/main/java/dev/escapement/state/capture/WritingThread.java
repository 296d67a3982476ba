package dev.escapement.state.capture;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets poses be written by the thread that runs the capture alone, and remembers who else tried: what that thread was refused is
 * missing in the tick, even if nobody looks at its exception.
 */
final class WritingThread {

    // Plain: a thread that reads itself here wrote it itself, and has not written null since. Others never read
    // themselves; those that the capture has started or asked read who captures.
    private @Nullable Thread writer;

    /** The first attempt of another thread. Atomic, so that there is one first; whoever tried has stored it before it throws. */
    private final AtomicReference<@Nullable IllegalStateException> intrusion = new AtomicReference<>();

    void begin() {
        writer = Thread.currentThread();
    }

    void end() {
        writer = null;
    }

    /** Passes for the thread that runs the capture, while it does. */
    void require() {
        if (writer != Thread.currentThread()) {
            refuse(writer, Thread.currentThread());
        }
    }

    /**
     * Checks that nobody else has tried. What another thread tries after this fails the next tick.
     *
     * @throws IllegalStateException if somebody has
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
