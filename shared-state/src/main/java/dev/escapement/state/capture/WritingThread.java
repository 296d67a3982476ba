package dev.escapement.state.capture;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Refuses poses from every thread but the one that runs the capture. An attempt of another thread fails the capture, too, because that
 * thread's poses are missing in the tick, even if the thread ignores its exception.
 *
 * <p>The reference to the last thread stays between two captures. Storing it anew in each tick makes a garbage collector such as G1 scan
 * this object, which took a tenth of a core with a thousand worlds.
 */
final class WritingThread {

    private static final int OUTSIDE = 0;

    private static final int WRITING = 1;

    /** All poses are written and checked. Visitors receive displacement outliers, and may not write poses. */
    private static final int COMPLETE = 2;

    private @Nullable Thread thread;

    /**
     * The phase of the current capture. Volatile: begin stores {@link #thread} before the phase, and the store of the phase releases the
     * thread to the load of the phase in require. Else a caller could read an earlier thread, perhaps itself, and write poses into the
     * capture of another thread.
     */
    private volatile int phase = OUTSIDE;

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
        phase = WRITING;
    }

    void complete() {
        phase = COMPLETE;
    }

    void end() {
        phase = OUTSIDE;
    }

    void require() {
        int current = phase;
        Thread last = thread;
        if (current != WRITING || last != Thread.currentThread()) {
            refuse(current, last);
        }
    }

    void requireCapture() {
        int current = phase;
        Thread last = thread;
        if (current == OUTSIDE || last != Thread.currentThread()) {
            refuse(current, last);
        }
    }

    /**
     * Checks that no other thread tried to write. An attempt after this check fails the next tick.
     *
     * @throws IllegalStateException if another thread tried
     */
    void requireAlone(long tick) {
        IllegalStateException first = intrusion.get();
        if (first != null) {
            throw new IllegalStateException(
                    "tick " + tick + " is not complete: another thread tried to write poses", first);
        }
    }

    private void refuse(int current, @Nullable Thread capturing) {
        Thread caller = Thread.currentThread();
        if (current == OUTSIDE || capturing == null) {
            throw new IllegalStateException("poses can be written during the capture of a tick only");
        }
        if (capturing == caller) {
            throw new IllegalStateException(
                    "the poses of this tick are complete: a visitor of outliers may teleport bodies,"
                            + " but not set poses, nor spawn or despawn bodies; do that in the next tick");
        }
        IllegalStateException refusal = new IllegalStateException(
                "poses can be written by the thread that captures only: thread '" + caller.getName()
                        + "' tried while thread '" + capturing.getName() + "' captures; compute on other threads, and"
                        + " write on this one");
        intrusion.compareAndSet(null, refusal);
        throw refusal;
    }
}
