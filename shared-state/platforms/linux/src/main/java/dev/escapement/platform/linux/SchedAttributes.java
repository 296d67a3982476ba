package dev.escapement.platform.linux;

import dev.escapement.platform.linux.SystemCalls.Call;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** How the kernel schedules a thread: its {@code struct sched_attr}. One thread. */
final class SchedAttributes {

    static final int OTHER = 0;
    static final int FIFO = 1;
    static final int RR = 2;
    static final int DEADLINE = 6;

    /** Threads that this thread starts are ordinary ones. */
    private static final long RESET_ON_FORK = 1;

    private static final int BYTES = 56;
    private static final int POLICY = 4;
    private static final int FLAGS = 8;
    private static final int NICE = 16;
    private static final int PRIORITY = 20;
    private static final int RUNTIME = 24;

    private final SystemCalls calls;
    private final ByteBuffer struct = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

    SchedAttributes(SystemCalls calls) {
        this.calls = calls;
    }

    /** Reads those of a thread, 0 for the calling one. Returns 0, or the number of the error, negative. */
    long readFrom(long thread) {
        return calls.call(Call.SCHED_GETATTR, thread, struct, (long) BYTES, 0L);
    }

    /** Writes them to a thread, 0 for the calling one. Returns 0, or the number of the error, negative. */
    long writeTo(long thread) {
        struct.putInt(0, BYTES);
        struct.putLong(FLAGS, RESET_ON_FORK);
        return calls.call(Call.SCHED_SETATTR, thread, struct, 0L);
    }

    boolean isRealTime() {
        int policy = struct.getInt(POLICY);
        return policy == FIFO || policy == RR || policy == DEADLINE;
    }

    int priority() {
        return struct.getInt(PRIORITY);
    }

    int nice() {
        return struct.getInt(NICE);
    }

    /** The time slice of an ordinary thread; 0 on a kernel that has none. */
    long sliceNanos() {
        return struct.getLong(RUNTIME);
    }

    SchedAttributes realTime(int priority) {
        return set(FIFO, 0, priority, 0);
    }

    /** An ordinary thread. A slice of 0 is the kernel's own. */
    SchedAttributes ordinary(int nice, long sliceNanos) {
        return set(OTHER, nice, 0, sliceNanos);
    }

    private SchedAttributes set(int policy, int nice, int priority, long runtime) {
        struct.putInt(POLICY, policy);
        struct.putInt(NICE, nice);
        struct.putInt(PRIORITY, priority);
        struct.putLong(RUNTIME, runtime);
        return this;
    }
}
