package dev.escapement.platform.linux;

import dev.escapement.platform.linux.SystemCalls.Call;
import dev.escapement.state.time.Pacer.WakeupPreemption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and sets how the kernel schedules a thread: its {@code struct sched_attr}.
 *
 * <p>Accessors return the values of the last read; {@link #realTime} and {@link #ordinary} read again. One thread.
 */
final class SchedAttributes {

    static final int OTHER = 0;
    static final int FIFO = 1;

    /** The policy of an ordinary thread that does not preempt others when it wakes, unlike {@link #OTHER}. */
    static final int BATCH = 3;

    /** The flag that makes the threads that this thread starts ordinary ones. */
    private static final long RESET_ON_FORK = 1;

    private static final int BYTES = 56;
    private static final int POLICY = 4;
    private static final int FLAGS = 8;
    private static final int NICE = 16;
    private static final int PRIORITY = 20;
    private static final int RUNTIME = 24;

    private final SystemCalls calls;
    private final long thread;
    private final ByteBuffer struct = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

    /** Creates attributes of a thread, 0 for the calling thread. Call {@link #read} before an accessor. */
    SchedAttributes(SystemCalls calls, long thread) {
        this.calls = calls;
        this.thread = thread;
    }

    /** Reads the attributes. Returns 0, or the negative number of the error. */
    long read() {
        return calls.call(Call.SCHED_GETATTR, thread, struct, (long) BYTES, 0L);
    }

    int policy() {
        return struct.getInt(POLICY);
    }

    /** Returns true for the policies FIFO, round-robin and deadline. */
    boolean isRealTime() {
        int policy = policy();
        return policy == FIFO || policy == 2 || policy == 6;
    }

    int priority() {
        return struct.getInt(PRIORITY);
    }

    int nice() {
        return struct.getInt(NICE);
    }

    /** Returns the time slice of an ordinary thread; 0 on a kernel without slices. */
    long sliceNanos() {
        return struct.getLong(RUNTIME);
    }

    /** Makes the thread a real-time one. Returns 0, or the negative number of the error. */
    long realTime(int priority) {
        return set(FIFO, 0, priority, 0);
    }

    /** Makes the thread an ordinary one. A slice of 0 is the kernel's default. Returns 0, or the negative number of the error. */
    long ordinary(int nice, long sliceNanos) {
        return set(OTHER, nice, 0, sliceNanos);
    }

    /**
     * Returns a switch for whether the calling thread preempts another thread when it wakes. The calling thread must be an ordinary one.
     * Both states keep the nice value, the priority and the slice of the last read.
     */
    WakeupPreemption preemption() {
        Runnable allow = calls.setterOfOwnAttributes(copy(OTHER));
        Runnable forbid = calls.setterOfOwnAttributes(copy(BATCH));
        return allowed -> (allowed ? allow : forbid).run();
    }

    private ByteBuffer copy(int policy) {
        ByteBuffer copy = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        return copy.put(0, struct, 0, BYTES)
                .putInt(0, BYTES)
                .putInt(POLICY, policy)
                .putLong(FLAGS, RESET_ON_FORK);
    }

    private long set(int policy, int nice, int priority, long runtime) {
        struct.putInt(0, BYTES).putInt(POLICY, policy).putLong(FLAGS, RESET_ON_FORK);
        struct.putInt(NICE, nice).putInt(PRIORITY, priority).putLong(RUNTIME, runtime);
        long result = calls.call(Call.SCHED_SETATTR, thread, struct, 0L);
        long read = read();
        return result < 0 ? result : read;
    }
}
