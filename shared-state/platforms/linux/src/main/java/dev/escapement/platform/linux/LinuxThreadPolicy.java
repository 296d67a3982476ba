package dev.escapement.platform.linux;

import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadPolicy;
import java.util.EnumMap;
import java.util.Map;

/**
 * Asks Linux for what makes a thread be on time. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * ThreadPolicy policy = new LinuxThreadPolicy().core(1);
 * PhysicsService physics = PhysicsService.builder(simulation).threadPolicy(policy).start();
 * }</pre>
 *
 * <p><b>If a thread with real-time priority hangs</b>, the kernel gives 5 % of its core to other threads
 * ({@code kernel.sched_rt_runtime_us}; from Linux 6.12 on the fair server), so that the watchdog of a physics service runs even on a machine
 * of one core. What it abandons becomes an ordinary thread. If a limit of {@code rttime} is set, the kernel ends the process when the
 * thread has not slept for that long. Where neither limits it and there is one core only, real-time priority is refused.
 *
 * <p>Threads that the thread starts later inherit its cores and timer slack, but neither priority, nice nor slice. An engine that starts
 * threads of its own from {@code begin()} must not find itself on one core.
 *
 * @see ThreadPolicy#realTime()
 */
public final class LinuxThreadPolicy implements ThreadPolicy {

    /** What can be asked, in the order of asking. */
    enum Setting {
        TIMER_SLACK,
        PRIORITY,
        NICE,
        TIME_SLICE,
        CORE
    }

    private final SystemCalls calls;
    private final Map<Setting, Long> wishes;

    /**
     * Asks for a timer slack of 1 ns and real-time priority 10; where that is refused, for nice -10 and a time slice of 100 us. Loads what
     * calls the system, which takes a tenth of a second the first time.
     */
    public LinuxThreadPolicy() {
        this(
                JnaSystemCalls.OF_THIS_PROCESS,
                nothing().timerSlack(1).realTimePriority(10).nice(-10).slice(100_000).wishes);
    }

    LinuxThreadPolicy(SystemCalls calls, Map<Setting, Long> wishes) {
        this.calls = calls;
        this.wishes = wishes;
    }

    /** {@return a policy that asks nothing, to add to} */
    public static LinuxThreadPolicy nothing() {
        return new LinuxThreadPolicy(JnaSystemCalls.OF_THIS_PROCESS, Map.of());
    }

    /**
     * Asks for a time slice: the shorter it is, the sooner the thread gets its core when it wakes, and the sooner others get it back. So while
     * others want the core, a pacer lets the thread queue for it in the last 5 ms before its work, without which the end of the work would be
     * later than before; a thread whose period is 5 ms or less or not known is refused, as is a kernel whose clock ticks more rarely than
     * every 4 ms. Needs no privilege, but Linux 6.12. Not asked if real-time priority is granted.
     *
     * @param nanos 100,000 to 100,000,000
     * @return a changed copy
     */
    public LinuxThreadPolicy slice(long nanos) {
        return with(Setting.TIME_SLICE, nanos, 100_000, 100_000_000, "the time slice in ns");
    }

    /**
     * Asks for a timer slack: how much later than asked for the kernel may wake the thread; 50,000 by default. Needs no privilege. One of at
     * most 10,000 lets a pacer spin less.
     *
     * @param nanos 1 or more
     * @return a changed copy
     */
    public LinuxThreadPolicy timerSlack(long nanos) {
        return with(Setting.TIMER_SLACK, nanos, 1, Integer.MAX_VALUE, "the timer slack in ns");
    }

    /**
     * Asks for real-time priority ({@code SCHED_FIFO}): no ordinary thread delays the thread.
     *
     * @param priority 1 to 99; interrupt threads have 50
     * @return a changed copy
     */
    public LinuxThreadPolicy realTimePriority(int priority) {
        return with(Setting.PRIORITY, priority, 1, 99, "the real-time priority");
    }

    /**
     * Asks for a larger share of busy cores, by a nice value. Not asked if real-time priority is granted.
     *
     * @param nice -20, the largest share, to 19
     * @return a changed copy
     */
    public LinuxThreadPolicy nice(int nice) {
        return with(Setting.NICE, nice, -20, 19, "nice");
    }

    /**
     * Asks for one core, and no other.
     *
     * @param core 0 for the first
     * @return a changed copy
     */
    public LinuxThreadPolicy core(int core) {
        return with(Setting.CORE, core, 0, CallingThread.MAX_CORES - 1, "the core");
    }

    private LinuxThreadPolicy with(Setting setting, long value, long min, long max, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be " + min + " to " + max + ", but is " + value);
        }
        Map<Setting, Long> more = new EnumMap<>(Setting.class);
        more.putAll(wishes);
        more.put(setting, value);
        return new LinuxThreadPolicy(calls, more);
    }

    @Override
    public boolean fitsThisSystem() {
        return System.getProperty("os.name").equals("Linux");
    }

    @Override
    public ThreadGrants apply(long periodNanos) {
        return new CallingThread(calls, periodNanos).ask(wishes);
    }
}
