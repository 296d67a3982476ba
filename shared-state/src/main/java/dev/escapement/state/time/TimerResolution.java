package dev.escapement.state.time;

/**
 * The resolution of a machine's timer. Deadlines cannot be kept better than the clock's step, nor, without spinning, better than the
 * shortest park.
 *
 * <pre>{@code
 * TimerResolution timer = TimerResolution.ofThisJvm();
 * if (timer.isCoarse()) {
 *     System.err.println("ticks will be late: " + timer);
 * }
 * }</pre>
 *
 * @param clockStepNanos    the smallest step of the clock that was seen, {@link Long#MAX_VALUE} if it stood still
 * @param shortestParkNanos how long a park of a microsecond took: the shortest of several in a row. With a timer driven by interrupts each
 *                          of them takes a whole period, but a single one may be short by chance
 * @see Pacer
 */
public record TimerResolution(long clockStepNanos, long shortestParkNanos) {

    private static final long COARSE_NANOS = 100_000;

    /**
     * Measures a timer, which takes a millisecond or less on a good machine and some timer periods on a bad one.
     *
     * @param clock   the clock
     * @param waiting how the calling thread parks; an interrupt stays pending
     * @return what was seen
     */
    public static TimerResolution measure(NanoClock clock, Waiting waiting) {
        return new TimerProbe(clock, waiting).measure();
    }

    /**
     * The timer of the running JVM, measured at the first call. Any thread may call this.
     *
     * @return the same in every call
     */
    public static TimerResolution ofThisJvm() {
        return OfThisJvm.MEASURED;
    }

    /**
     * Whether the timer is so coarse that ticks will be late.
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
