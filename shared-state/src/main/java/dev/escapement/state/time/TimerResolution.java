package dev.escapement.state.time;

/**
 * How fine the timer of a machine is. Deadlines cannot be kept better than the clock moves, nor better, without spinning, than
 * a thread can be woken.
 *
 * <pre>{@code
 * TimerResolution timer = TimerResolution.ofThisJvm();
 * if (timer.isCoarse()) {
 *     System.err.println("ticks will be late: " + timer);
 * }
 * }</pre>
 *
 * @param clockStepNanos    the smallest step in which the clock was seen to move, {@link Long#MAX_VALUE} if it stood still
 * @param shortestParkNanos how long a park of a microsecond took: the least of some that followed each other. With a timer
 *                          driven by interrupts each of these takes a whole period, while a single one may be short by luck
 * @see Pacer
 */
public record TimerResolution(long clockStepNanos, long shortestParkNanos) {

    private static final long COARSE_NANOS = 100_000;

    /**
     * Measures a timer: a millisecond or less on a good machine, some periods of its timer on a bad one.
     *
     * @param clock   the clock
     * @param waiting how the calling thread parks; an interrupt stays pending
     * @return what was seen
     */
    public static TimerResolution measure(NanoClock clock, Waiting waiting) {
        return new TimerProbe(clock, waiting).measure();
    }

    /**
     * The timer of the running JVM, measured when it is asked for first. Any thread may call this.
     *
     * @return the same in every call
     */
    public static TimerResolution ofThisJvm() {
        return OfThisJvm.MEASURED;
    }

    /**
     * Whether ticks must be expected to be late.
     *
     * @return whether the clock's step or the shortest park is above 0.1 ms
     */
    public boolean isCoarse() {
        return clockStepNanos > COARSE_NANOS || shortestParkNanos > COARSE_NANOS;
    }

    /** Measured by the thread that asks first; the JVM's class initialisation makes the others wait for it. */
    private static final class OfThisJvm {
        static final TimerResolution MEASURED = measure(NanoClock.system(), Waiting.system());
    }
}
