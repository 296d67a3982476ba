package dev.escapement.physics.usercode;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Counts for how many looks in a row a physics thread has stayed in one call of user code. Its owner looks at regular times.
 *
 * <pre>{@code
 * if (watchdog.look() >= Watchdog.LOOKS) {
 *     guard.abandon(watchdog.seen());
 * }
 * }</pre>
 *
 * <p>The watchdog counts looks and not time, because time also passes while the process is suspended and nothing hangs.
 *
 * <p>One thread uses it.
 */
public final class Watchdog {

    /** A call of user code hangs if it is seen by this many looks in a row after the look that saw it first. */
    public static final int LOOKS = 8;

    private final UserCodeGuard guard;
    private long seen;
    private int looksInSameCall;

    /**
     * Creates a watchdog that has not looked.
     *
     * @param guard the guard to look at
     */
    public Watchdog(UserCodeGuard guard) {
        this.guard = guard;
    }

    /** The advice for a JVM that was started for a debugger, empty for others. A class of its own, because it loads many; logs it once. */
    private static final class Debugger {

        static final String ADVICE = hasDebugger()
                ? "; a debugger's breakpoint looks like a hang: switch the watchdog off while debugging, leave out watchdog(...)"
                : "";

        static {
            if (!ADVICE.isEmpty()) {
                FailureReport.warn(() -> "A service has a watchdog" + ADVICE);
            }
        }

        /** False also on a Java runtime without the module {@code java.management}. */
        private static boolean hasDebugger() {
            try {
                return ManagementFactory.getRuntimeMXBean()
                        .getInputArguments()
                        .toString()
                        .contains("jdwp=");
            } catch (NoClassDefFoundError withoutManagement) {
                return false;
            }
        }
    }

    /** {@return the end of a message about a hang; empty unless a debugger may have caused the hang} */
    public static String debuggerAdvice() {
        return Debugger.ADVICE;
    }

    /**
     * Converts the limit that a builder got.
     *
     * @param limitMillis how long a call of user code may take
     * @return the limit in nanoseconds
     * @throws IllegalArgumentException if it is shorter than {@link #LOOKS} ms
     */
    public static long limitNanos(long limitMillis) {
        debuggerAdvice(); // the first call warns
        if (limitMillis < LOOKS) {
            throw new IllegalArgumentException("the watchdog's limit must be at least " + LOOKS + " ms, but is "
                    + limitMillis + " ms; leave it out to have none");
        }
        return TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /** {@return how many looks in a row, before this one, saw the physics thread in the same call of user code; 0 if it is in none} */
    public int look() {
        long before = seen;
        seen = guard.crossings();
        looksInSameCall = seen == before && UserCodeGuard.isInUserCode(seen) ? looksInSameCall + 1 : 0;
        return looksInSameCall;
    }

    /** {@return the crossings that the last look found, for {@link UserCodeGuard#abandon}} */
    public long seen() {
        return seen;
    }
}
