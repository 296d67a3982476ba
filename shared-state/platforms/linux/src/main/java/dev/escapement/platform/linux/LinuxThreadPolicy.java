package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadPolicy;

/**
 * Asks Linux for settings that let a thread be on time. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * ThreadPolicy policy = LinuxThreadPolicy.nothing().timerSlack(1).realTimePriority(10);
 * PhysicsService physics = PhysicsService.builder(simulation).threadPolicy(policy).start();
 * }</pre>
 *
 * <p><b>If a thread with real-time priority hangs</b>, the kernel gives 5 % of its core to other threads
 * ({@code kernel.sched_rt_runtime_us}; from Linux 6.12 on the fair server), so that the watchdog of a physics service runs even on one
 * core. The watchdog makes the thread that it abandons an ordinary one. If a limit of {@code rttime} is set, the kernel ends the
 * process when the thread has not slept for that long. Where neither limits it and there is one core only, real-time priority is refused.
 *
 * <p>Threads that the thread starts later inherit its timer slack, but neither priority nor slice.
 *
 * @see ThreadPolicy#realTime()
 */
public final class LinuxThreadPolicy implements ThreadPolicy {

    private final SystemCalls calls;

    // 0 for a setting that the policy does not request.
    private final long slackNanos;
    private final int priority;
    private final long sliceNanos;

    /**
     * Asks for a timer slack of 1 ns and real-time priority 10; where that is refused, for a time slice of 100 us. Loads what
     * calls the system, which takes a tenth of a second the first time.
     */
    public LinuxThreadPolicy() {
        this(SystemCalls.OF_THIS_PROCESS, 1, 10, 100_000);
    }

    LinuxThreadPolicy(SystemCalls calls, long slackNanos, int priority, long sliceNanos) {
        this.calls = calls;
        this.slackNanos = slackNanos;
        this.priority = priority;
        this.sliceNanos = sliceNanos;
    }

    /** {@return a policy that asks nothing, to add to} */
    public static LinuxThreadPolicy nothing() {
        return new LinuxThreadPolicy(SystemCalls.OF_THIS_PROCESS, 0, 0, 0);
    }

    /**
     * Asks for a time slice. The shorter it is, the sooner the thread gets its core when it wakes, and the sooner others get it back.
     * While others want the core, a pacer lets the thread queue for it in the last 5 ms before its work; otherwise the end of the work
     * would be later than without a slice. The policy refuses one to a thread whose period is 5 ms or less or not known, and on a kernel
     * whose clock ticks more rarely than every 4 ms. Needs no privilege, but Linux 6.12. Not asked if real-time priority is granted.
     *
     * @param nanos 100,000 to 100,000,000
     * @return a changed copy
     */
    public LinuxThreadPolicy slice(long nanos) {
        requireWithin(100_000, 100_000_000, nanos, "the time slice in ns");
        return new LinuxThreadPolicy(calls, slackNanos, priority, nanos);
    }

    /**
     * Asks for a timer slack: the delay by which the kernel may wake the thread too late, 50,000 by default. Needs no privilege. A slack of
     * at most 10,000 lets a pacer spin less.
     *
     * @param nanos 1 or more
     * @return a changed copy
     */
    public LinuxThreadPolicy timerSlack(long nanos) {
        requireWithin(1, Integer.MAX_VALUE, nanos, "the timer slack in ns");
        return new LinuxThreadPolicy(calls, nanos, priority, sliceNanos);
    }

    /**
     * Asks for real-time priority ({@code SCHED_FIFO}): no ordinary thread delays the thread.
     *
     * @param priority 1 to 99; interrupt threads have 50
     * @return a changed copy
     */
    public LinuxThreadPolicy realTimePriority(int priority) {
        requireWithin(1, 99, priority, "the real-time priority");
        return new LinuxThreadPolicy(calls, slackNanos, priority, sliceNanos);
    }

    private static void requireWithin(long min, long max, long value, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be " + min + " to " + max + ", but is " + value);
        }
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
