package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadPolicy;

/**
 * Requests settings of Linux that let a thread be on time. Immutable.
 *
 * <ul>
 *   <li><b>A timer slack of 1 ns</b>: the delay by which the kernel may wake the thread too late, 50,000 ns by default.
 *   <li><b>Real-time priority 10</b> ({@code SCHED_FIFO}): no ordinary thread delays the thread. Needs a privilege, which the grants name.
 *   <li><b>A time slice of 100 us</b> if priority is refused: the thread gets its core sooner when it wakes, and others get it back sooner.
 *       While others want the core, a pacer lets the thread queue for it in the last 5 ms before its work; otherwise the end of the work
 *       would be later than without a slice. Refused to a thread whose period is 5 ms or less, or unknown, and on a kernel whose clock
 *       ticks more rarely than every 4 ms. Needs Linux 6.12.
 * </ul>
 *
 * <p><b>If a thread with real-time priority hangs</b>, the kernel gives 5 % of its core to other threads ({@code
 * kernel.sched_rt_runtime_us}; from Linux 6.12 on the fair server), so that the watchdog of a physics service runs even on one core. The
 * watchdog makes the thread that it abandons an ordinary one. If a limit of {@code rttime} is set, the kernel ends the process when the
 * thread has not slept for that long. Real-time priority is refused if {@code sched_rt_runtime_us} is -1 and there is one core only.
 *
 * <p>Threads that the thread starts later inherit its timer slack, but neither priority nor slice.
 *
 * @see ThreadPolicy#realTime()
 */
public final class LinuxThreadPolicy implements ThreadPolicy {

    private static final long SLACK_NANOS = 1;
    private static final long SLICE_NANOS = 100_000;

    private final SystemCalls calls;

    // The requested settings; 0 for a setting that the policy does not request.
    private final long slackNanos;
    private final int priority;
    private final long sliceNanos;

    /** Creates a policy that requests all three settings. Loads the native binding, which takes a tenth of a second the first time. */
    public LinuxThreadPolicy() {
        this(SystemCalls.OF_THIS_PROCESS, SLACK_NANOS, 10, SLICE_NANOS);
    }

    LinuxThreadPolicy(SystemCalls calls, long slackNanos, int priority, long sliceNanos) {
        this.calls = calls;
        this.slackNanos = slackNanos;
        this.priority = priority;
        this.sliceNanos = sliceNanos;
    }

    /** {@return a policy for the settings that need no privilege: timer slack and time slice} */
    public static LinuxThreadPolicy unprivileged() {
        return new LinuxThreadPolicy(SystemCalls.OF_THIS_PROCESS, SLACK_NANOS, 0, SLICE_NANOS);
    }

    @Override
    public boolean fitsThisSystem() {
        return System.getProperty("os.name").equals("Linux");
    }

    @Override
    public ThreadGrants apply(long periodNanos) {
        return new CallingThread(calls, periodNanos).ask(slackNanos, priority, sliceNanos);
    }
}
