package dev.escapement.platform.linux;

import dev.escapement.platform.linux.SystemCalls.Call;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import dev.escapement.state.time.Pacer.WakeupPreemption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests kernel settings for the calling thread, and reads them back. An object serves one request of one thread. */
final class CallingThread {

    /** The longest useful spin with precise timers: it covers the delay from the timer to the thread. */
    static final long PRECISE_SPIN_NANOS = 60_000;

    static final long PRECISE_SLACK_NANOS = 10_000;

    /**
     * The time for which a pacer queues for its core before a deadline. A period must be longer, because a slice without queueing makes the
     * end of the work late.
     */
    static final long MIN_SLICED_PERIOD_NANOS = 5_000_000;

    /**
     * The longest tick of the kernel's clock with which a thread that queues for its core 5 ms early gets the core in time, because the
     * kernel switches threads at ticks.
     */
    static final long MAX_CLOCK_TICK_NANOS = 4_000_000;

    /** The clock whose resolution is a tick of the kernel. */
    static final long CLOCK_MONOTONIC_COARSE = 6;

    static final long PR_SET_TIMERSLACK = 29;
    static final long PR_GET_TIMERSLACK = 30;

    private static final String SECCOMP = "a seccomp filter forbids it; with Docker see --security-opt seccomp";

    private final SystemCalls calls;
    private final long periodNanos;
    private final SchedAttributes attributes;
    private final List<Grant> grants = new ArrayList<>();
    private long maxSpinNanos = Long.MAX_VALUE;
    private @Nullable WakeupPreemption preemption;

    CallingThread(SystemCalls calls, long periodNanos) {
        this.calls = calls;
        this.periodNanos = periodNanos;
        attributes = new SchedAttributes(calls, 0);
    }

    /** Requests the settings in this order; 0 skips a setting. Priority comes before slice, because a real-time thread gets no slice. */
    ThreadGrants ask(long slackNanos, int priority, long sliceNanos) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        if (group != null && group.getName().equals("VirtualThreads")) { // by name: isVirtual() exists from Java 21 on
            String why =
                    "a virtual thread shares a thread of the system with others; apply the policy on a platform thread";
            return ThreadGrants.of(List.of(new Grant("thread policy", Outcome.REFUSED, why)));
        }
        if (!calls.obstacle().isEmpty()) {
            return ThreadGrants.of(List.of(new Grant("thread policy", Outcome.UNKNOWN, calls.obstacle())));
        }
        long thread = calls.call(Call.GETTID);
        if (slackNanos > 0) {
            timerSlack(slackNanos);
        }
        if (priority > 0) {
            priority(priority);
        }
        if (sliceNanos > 0) {
            slice(sliceNanos);
        }
        return new ThreadGrants(List.copyOf(grants), maxSpinNanos, preemption, () -> withdraw(calls, thread));
    }

    private void timerSlack(long nanos) {
        String setting = "timer slack " + nanos + " ns";
        long result = calls.call(Call.PRCTL, PR_SET_TIMERSLACK, nanos, 0L, 0L, 0L);
        long slackNanos = calls.call(Call.PRCTL, PR_GET_TIMERSLACK, 0L, 0L, 0L, 0L);
        if (result >= 0 && slackNanos > nanos) {
            refused(setting, "it is still " + slackNanos + " ns");
        } else if (answered(setting, result, SECCOMP) && nanos <= PRECISE_SLACK_NANOS) {
            maxSpinNanos = Math.min(maxSpinNanos, PRECISE_SPIN_NANOS);
        }
    }

    private void priority(int wanted) {
        String setting = "real-time priority " + wanted;
        if (!isOrdinary(setting)) {
            if (attributes.isRealTime()) {
                grants.add(new Grant("real-time priority " + attributes.priority(), Outcome.GRANTED, "as it was"));
            }
            return;
        }
        boolean unlimited =
                calls.read("/proc/sys/kernel/sched_rt_runtime_us").strip().equals("-1");
        if (unlimited && calls.cores() == 1) {
            refused(
                    setting,
                    "nothing would stop a thread that hangs on the only core; sudo sysctl -w"
                            + " kernel.sched_rt_runtime_us=950000");
            return;
        }
        answered(
                setting,
                attributes.realTime(wanted),
                "sudo prlimit --pid $$ --rtprio=" + wanted
                        + " in the shell that then starts Java; with Docker --cap-add=SYS_NICE; if neither helps, a"
                        + " seccomp filter or a cgroup without real-time time forbids it");
    }

    private void slice(long nanos) {
        String setting = "time slice " + nanos / 1000 + " us";
        if (!isOrdinary(setting)) {
            return;
        }
        if (periodNanos <= MIN_SLICED_PERIOD_NANOS) {
            refused(setting, "it helps only a thread that waits for longer than 5 ms between its work");
            return;
        }
        long tickNanos = clockTickNanos();
        if (tickNanos > MAX_CLOCK_TICK_NANOS) {
            refused(
                    setting,
                    "it helps only if the kernel's clock ticks every 4 ms or more often, not every "
                            + tickNanos / 1_000_000 + " ms");
            return;
        }
        long result = attributes.ordinary(attributes.nice(), nanos);
        if (result >= 0 && attributes.sliceNanos() != nanos) {
            grants.add(new Grant(setting, Outcome.UNKNOWN, "Linux has it from 6.12 on"));
        } else if (answered(setting, result, SECCOMP)) {
            maxSpinNanos = Math.min(maxSpinNanos, nanos);
            preemption = attributes.preemption();
        }
    }

    /** Reads the attributes, or adds a failure to the grants. Returns whether the thread is an ordinary one, which may have a slice. */
    private boolean isOrdinary(String setting) {
        long result = attributes.read();
        return (result >= 0 || answered(setting, result, SECCOMP)) && !attributes.isRealTime();
    }

    /** Makes a thread of this process an ordinary one, if it still exists. Any thread. */
    private static void withdraw(SystemCalls calls, long thread) {
        SchedAttributes now = new SchedAttributes(calls, thread);
        if (!calls.read("/proc/self/task/" + thread + "/comm").isEmpty() && now.read() >= 0) {
            now.ordinary(Math.max(0, now.nice()), 0);
        }
    }

    /** Returns the length of a tick of the kernel's clock; 0 if it cannot be read. */
    private long clockTickNanos() {
        ByteBuffer resolution = ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());
        return calls.call(Call.CLOCK_GETRES, CLOCK_MONOTONIC_COARSE, resolution) < 0
                ? 0
                : resolution.getLong(Long.BYTES);
    }

    /** Adds the answer of a call to the grants. Returns whether the setting was granted. */
    private boolean answered(String setting, long result, String whyForbidden) {
        if (result >= 0) {
            grants.add(new Grant(setting, Outcome.GRANTED, ""));
        } else if (result == -SystemCalls.ENOSYS || result == -SystemCalls.EINVAL) {
            grants.add(
                    new Grant(setting, Outcome.UNKNOWN, "this kernel has no such call, or a seccomp filter hides it"));
        } else {
            boolean isForbidden = result == -SystemCalls.EPERM || result == -SystemCalls.EACCES;
            refused(setting, isForbidden ? whyForbidden : "the call fails with error " + -result);
        }
        return result >= 0;
    }

    private void refused(String setting, String why) {
        grants.add(new Grant(setting, Outcome.REFUSED, why));
    }
}
