package dev.escapement.state.capture;

import dev.escapement.state.thread.ThreadConfined;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets only the thread that runs the capture write poses, and remembers that another one tried: the poses that it was refused are
 * missing in the tick, even if nothing looks at its exception.
 */
final class WritingThread extends ThreadConfined {

    /** The first attempt of another thread. Atomic, so that there is one first; a thread stores its own before it throws. */
    private final AtomicReference<@Nullable IllegalStateException> intrusion = new AtomicReference<>();

    @Override
    protected String what() {
        return "capture";
    }

    void begin() {
        checkOwner();
    }

    void end() {
        disown();
    }

    /** Passes for the thread that runs the capture, while it does. */
    void require() {
        if (!isOwner()) {
            refuse(owner(), Thread.currentThread());
        }
    }

    /**
     * Checks that no other thread has tried. What another thread tries after this fails the next tick.
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
