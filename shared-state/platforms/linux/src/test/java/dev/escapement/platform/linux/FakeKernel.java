package dev.escapement.platform.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A fake kernel with one thread. Tests set what it allows, and read the settings that it received. */
final class FakeKernel extends SystemCalls {

    static final long THREAD = 4711;

    final Map<Call, Long> errors = new EnumMap<>(Call.class);
    final Map<String, String> files = new HashMap<>();

    /** The threads whose attributes were set; 0 is the calling thread. */
    final Set<Long> changed = new HashSet<>();

    int cores = 2;
    String obstacle = "";
    boolean hasCapabilities;
    boolean hasSlices = true;
    boolean hasSlack = true;

    int policy;
    int nice;
    int priority;
    long flags;
    long sliceNanos = 2_800_000;
    long slackNanos = 50_000;
    long clockTickNanos = 4_000_000;

    FakeKernel() {
        super("");
        files.put("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
        files.put("/proc/self/task/" + THREAD + "/comm", "physics\n");
    }

    @Override
    String obstacle() {
        return obstacle;
    }

    @Override
    int cores() {
        return cores;
    }

    @Override
    String read(String file) {
        return files.getOrDefault(file, "");
    }

    @Override
    long call(Call call, Object... arguments) {
        Long error = errors.get(call);
        if (error != null) {
            return -error;
        }
        return switch (call) {
            case GETTID -> THREAD;
            case PRCTL -> slack((long) arguments[0], (long) arguments[1]);
            case SCHED_SETATTR -> setAttributes((long) arguments[0], buffer(arguments[1]));
            case SCHED_GETATTR -> getAttributes(buffer(arguments[1]));
            case CLOCK_GETRES -> resolution((long) arguments[0], buffer(arguments[1]));
        };
    }

    @Override
    Runnable setterOfOwnAttributes(ByteBuffer struct) {
        return () -> setAttributes(0, buffer(struct));
    }

    private long resolution(long clock, ByteBuffer seconds) {
        seconds.putLong(0, 0).putLong(Long.BYTES, clock == CallingThread.CLOCK_MONOTONIC_COARSE ? clockTickNanos : 1);
        return 0;
    }

    private static ByteBuffer buffer(Object argument) {
        return ((ByteBuffer) argument).duplicate().order(ByteOrder.nativeOrder());
    }

    private long slack(long option, long nanos) {
        if (option == CallingThread.PR_GET_TIMERSLACK) {
            return slackNanos;
        }
        slackNanos = hasSlack ? nanos : slackNanos;
        return 0;
    }

    private long setAttributes(long thread, ByteBuffer struct) {
        changed.add(thread);
        int newPriority = struct.getInt(20);
        int newNice = struct.getInt(16);
        if (!hasCapabilities && !(newPriority == 0 && newNice >= nice)) {
            return -EPERM;
        }
        policy = struct.getInt(4);
        flags = struct.getLong(8);
        nice = newNice;
        priority = newPriority;
        long slice = struct.getLong(24);
        sliceNanos = hasSlices && slice != 0 ? slice : 2_800_000;
        return 0;
    }

    private long getAttributes(ByteBuffer struct) {
        struct.putInt(4, policy);
        struct.putInt(16, nice);
        struct.putInt(20, priority);
        struct.putLong(
                24, hasSlices && (policy == SchedAttributes.OTHER || policy == SchedAttributes.BATCH) ? sliceNanos : 0);
        return 0;
    }
}
