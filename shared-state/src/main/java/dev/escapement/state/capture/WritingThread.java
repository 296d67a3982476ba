package dev.escapement.state.capture;

import dev.escapement.state.thread.ThreadConfined;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets only the thread that runs the capture write poses. It remembers that another thread tried: that thread's poses are missing in the
 * tick, even if its exception is ignored.
 */
final class WritingThread extends ThreadConfined {

    /** The exception of the first attempt of another thread, which stores it before it throws it. */
    private final AtomicReference<@Nullable IllegalStateException> intrusion = new AtomicReference<>();

    @Override
    protected String what() {
        return "capture";
    }

    void begin() {
        own();
    }

    void end() {
        disown();
    }

    /** Throws unless the caller is the thread that runs the capture. */
    void require() {
        if (!isOwner()) {
            refuse(owner(), Thread.currentThread());
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
