package dev.escapement.platform.linux;

import dev.escapement.platform.linux.LinuxThreadPolicy.Setting;
import dev.escapement.platform.linux.SystemCalls.Call;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Asks the kernel for settings of the calling thread, and reads back what it got. One thread, once. */
final class CallingThread {

    /** With precise timers a pacer needs no more: the way from the timer to the thread. */
    static final long PRECISE_SPIN_NANOS = 60_000;

    static final long PRECISE_SLACK_NANOS = 10_000;

    static final long PR_SET_TIMERSLACK = 29;
    static final long PR_GET_TIMERSLACK = 30;
    static final long RLIMIT_MEMLOCK = 8;
    static final long RLIMIT_NICE = 13;
    static final long RLIMIT_RTPRIO = 14;
    static final long RLIMIT_RTTIME = 15;
    static final long INFINITE = -1;

    /** All that is there and that comes, each page when it is first touched. */
    static final long MCL_CURRENT_FUTURE_ONFAULT = 1 + 2 + 4;

    private static final int CAP_IPC_LOCK = 14;
    private static final int MASK_BYTES = 1024;
    private static final String SECCOMP = "a seccomp filter forbids it; with Docker see --security-opt seccomp";

    private final SystemCalls calls;
    private final SchedAttributes attributes;
    private final List<Grant> grants = new ArrayList<>();
    private long maxSpinNanos = Long.MAX_VALUE;
    private boolean yieldsAfterWork;

    CallingThread(SystemCalls calls) {
        this.calls = calls;
        attributes = new SchedAttributes(calls);
    }

    ThreadGrants ask(Map<Setting, Long> wishes) {
        boolean isVirtual = isVirtual(Thread.currentThread());
        if (isVirtual || !calls.obstacle().isEmpty()) {
            Outcome outcome = isVirtual ? Outcome.REFUSED : Outcome.UNKNOWN;
            String why = isVirtual
                    ? "a virtual thread shares a thread of the system with others; apply the policy on a platform thread"
                    : calls.obstacle();
            return ThreadGrants.of(List.of(new Grant("thread policy", outcome, why)));
        }
        long thread = calls.call(Call.GETTID);
        for (Setting setting : Setting.values()) {
            Long value = wishes.get(setting);
            if (value != null) {
                ask(setting, value);
            }
        }
        return new ThreadGrants(List.copyOf(grants), maxSpinNanos, yieldsAfterWork, () -> withdraw(thread));
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException before21) {
            return false;
        }
    }

    private void ask(Setting setting, long value) {
        switch (setting) {
            case LOCKED_MEMORY -> lockMemory();
            case CORE -> cores("core " + value, (int) value, true);
            case AWAY_FROM_CORE -> cores("away from core " + value, (int) value, false);
            case TIMER_SLACK -> timerSlack(value);
            case PRIORITY -> priority((int) value);
            case NICE -> nice((int) value);
            case TIME_SLICE -> slice(value);
        }
    }

    private void lockMemory() {
        String setting = "locked memory";
        if (limit(RLIMIT_MEMLOCK) != INFINITE && !hasCapability(CAP_IPC_LOCK)) {
            refused(setting, "the limit of memlock would end the JVM; " + raise("memlock=unlimited"));
            return;
        }
        answered(setting, calls.call(Call.MLOCKALL, MCL_CURRENT_FUTURE_ONFAULT), SECCOMP);
    }

    private void cores(String setting, int core, boolean only) {
        ByteBuffer mask = ByteBuffer.allocateDirect(MASK_BYTES).order(ByteOrder.nativeOrder());
        long bytes = calls.call(Call.SCHED_GETAFFINITY, 0L, (long) MASK_BYTES, mask);
        if (bytes < 0) {
            answered(setting, bytes, SECCOMP);
            return;
        }
        BitSet now = BitSet.valueOf(mask);
        BitSet wanted = (BitSet) now.clone();
        if (only) {
            wanted.clear();
            wanted.set(core);
        } else {
            wanted.clear(core);
        }
        if (wanted.isEmpty()) {
            refused(
                    setting,
                    "it is the only core of this process; see taskset -cp $$, or --cpuset-cpus of a container");
        } else if (!wanted.equals(now)) {
            setCores(setting, mask, wanted, now);
        } else {
            granted(setting);
        }
    }

    private void setCores(String setting, ByteBuffer mask, BitSet wanted, BitSet now) {
        String excluded =
                "the cores of this process are " + now + "; see taskset -cp $$, or --cpuset-cpus of a container";
        if (wanted.length() > Byte.SIZE * MASK_BYTES) {
            refused(setting, excluded);
            return;
        }
        mask.clear().put(new byte[MASK_BYTES]).clear().put(wanted.toByteArray()).clear();
        long result = calls.call(Call.SCHED_SETAFFINITY, 0L, (long) MASK_BYTES, mask);
        if (result == -SystemCalls.EINVAL) {
            refused(setting, excluded);
        } else {
            answered(setting, result, SECCOMP);
        }
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
        if (!readAttributes("real-time priority " + wanted)) {
            return;
        }
        if (attributes.isRealTime()) {
            grants.add(new Grant("real-time priority " + attributes.priority(), Outcome.GRANTED, "as it was"));
            return;
        }
        String runtime = calls.read("/proc/sys/kernel/sched_rt_runtime_us").strip();
        boolean unlimited = runtime.equals("-1") && limit(RLIMIT_RTTIME) == INFINITE;
        if (unlimited && cores() == 1) {
            refused(
                    "real-time priority " + wanted,
                    "nothing would stop a thread that hangs on the only core; sudo sysctl -w"
                            + " kernel.sched_rt_runtime_us=950000");
            return;
        }
        long limit = limit(RLIMIT_RTPRIO);
        int priority = wanted;
        long result = attributes.realTime(priority).writeTo(0);
        if (result == -SystemCalls.EPERM && limit > 0 && limit < wanted) {
            priority = (int) limit;
            result = attributes.realTime(priority).writeTo(0);
        }
        boolean hasLimit = limit == INFINITE || limit > 0;
        answered(
                "real-time priority " + priority,
                result,
                hasLimit
                        ? "the limit of rtprio allows it, but a seccomp filter or a cgroup without real-time time does not"
                        : raise("rtprio=" + wanted) + "; with Docker --cap-add=SYS_NICE");
    }

    private void nice(int wanted) {
        if (isRealTime() || !readAttributes("nice " + wanted)) {
            return;
        }
        int before = attributes.nice();
        int nice = wanted;
        long result = attributes.ordinary(nice, 0).writeTo(0);
        int least = (int) (20 - limit(RLIMIT_NICE));
        if (isForbidden(result) && least < before) {
            nice = least;
            result = attributes.ordinary(nice, 0).writeTo(0);
        }
        answered("nice " + nice, result, raise("nice=" + (20 - wanted)) + "; with Docker --cap-add=SYS_NICE");
    }

    private void slice(long nanos) {
        String setting = "time slice " + nanos / 1000 + " us";
        if (isRealTime() || !readAttributes(setting)) {
            return;
        }
        long result = attributes.ordinary(attributes.nice(), nanos).writeTo(0);
        if (result >= 0 && attributes.readFrom(0) >= 0 && attributes.sliceNanos() != nanos) {
            grants.add(new Grant(setting, Outcome.UNKNOWN, "Linux has it from 6.12 on"));
        } else if (answered(setting, result, SECCOMP)) {
            maxSpinNanos = Math.min(maxSpinNanos, nanos);
            yieldsAfterWork = true;
        }
    }

    /** Makes a thread of this process an ordinary one, if it still exists. Any thread. */
    private void withdraw(long thread) {
        SchedAttributes now = new SchedAttributes(calls);
        if (!calls.read("/proc/self/task/" + thread + "/comm").isEmpty() && now.readFrom(thread) >= 0) {
            now.ordinary(Math.max(0, now.nice()), 0).writeTo(thread);
        }
    }

    private boolean readAttributes(String setting) {
        long result = attributes.readFrom(0);
        return result >= 0 || answered(setting, result, SECCOMP);
    }

    /** Whether the thread has real-time priority, so that it has neither nice nor a slice. */
    private boolean isRealTime() {
        return attributes.readFrom(0) >= 0 && attributes.isRealTime();
    }

    private int cores() {
        ByteBuffer mask = ByteBuffer.allocateDirect(MASK_BYTES);
        return calls.call(Call.SCHED_GETAFFINITY, 0L, (long) MASK_BYTES, mask) < 0
                ? Runtime.getRuntime().availableProcessors()
                : BitSet.valueOf(mask).cardinality();
    }

    /** The soft limit of this process, or {@link #INFINITE}; 0 if it cannot be read. */
    private long limit(long resource) {
        ByteBuffer limits = ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());
        return calls.call(Call.PRLIMIT64, 0L, resource, 0L, limits) < 0 ? 0 : limits.getLong(0);
    }

    private boolean hasCapability(int capability) {
        return calls.read("/proc/self/status")
                .lines()
                .filter(line -> line.startsWith("CapEff:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> capability & 1) != 0);
    }

    private static String raise(String limit) {
        return "sudo prlimit --pid $$ --" + limit + " in the shell that then starts Java";
    }

    private static boolean isForbidden(long result) {
        return result == -SystemCalls.EPERM || result == -SystemCalls.EACCES;
    }

    /** Adds the answer of a call. Returns whether the setting was granted. */
    private boolean answered(String setting, long result, String whyForbidden) {
        if (result >= 0) {
            granted(setting);
        } else if (result == -SystemCalls.ENOSYS || result == -SystemCalls.EINVAL) {
            grants.add(
                    new Grant(setting, Outcome.UNKNOWN, "this kernel has no such call, or a seccomp filter hides it"));
        } else {
            refused(setting, isForbidden(result) ? whyForbidden : "the call fails with error " + -result);
        }
        return result >= 0;
    }

    private void granted(String setting) {
        grants.add(new Grant(setting, Outcome.GRANTED, ""));
    }

    private void refused(String setting, String why) {
        grants.add(new Grant(setting, Outcome.REFUSED, why));
    }
}
