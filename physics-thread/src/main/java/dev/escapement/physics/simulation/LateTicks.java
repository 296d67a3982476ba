package dev.escapement.physics.simulation;

import dev.escapement.state.time.TimeScale;
import java.util.Objects;

/**
 * The policy for ticks that take too long, or are overdue because an earlier tick took too long: time slows down, or physics catches up.
 * Either way tick numbers stay consecutive. Skipped time is counted, and simulated time stands still during it.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation).lateTicks(LateTicks.catchUp(40_000_000)).start();
 * }</pre>
 *
 * @param least            the slowest speed, a share of the requested speed; 1 if time is never slowed down
 * @param maxLatenessNanos how late a tick may be, in nanoseconds of the clock; {@link Long#MAX_VALUE} for any
 */
public record LateTicks(TimeScale least, long maxLatenessNanos) {

    /** Ten ticks at 100 Hz, as many as the largest windows have snapshots; a longer stall is visible in any case. */
    private static final long USUAL_LATENESS_NANOS = 100_000_000;

    /**
     * Checks the numbers.
     *
     * @param least            at most 1
     * @param maxLatenessNanos not negative
     * @throws IllegalArgumentException if the speed is above 1, or the lateness negative
     */
    public LateTicks {
        Objects.requireNonNull(least, "least must not be null; the default is new TimeScale(1, 10)");
        if (least.numerator() > least.denominator()) {
            throw new IllegalArgumentException("the least speed is a share of the requested speed, at most 1, but is "
                    + least + "; pass new TimeScale(1, 10), say");
        }
        if (maxLatenessNanos < 0) {
            throw new IllegalArgumentException("a tick may be late by 0 ns or more, but maxLatenessNanos is "
                    + maxLatenessNanos + "; pass 0 to skip every deadline that has passed");
        }
    }

    /** {@return the default: {@link #dilate(TimeScale)} to a tenth of the speed at most} */
    public static LateTicks dilate() {
        return dilate(new TimeScale(1, 10));
    }

    /**
     * Slows simulated time down as far as ticks need, and no further. If ticks with a period of 10 ms take 14 ms on average, time runs at
     * 0.71 of its speed, and evenly. Occasional long ticks slow nothing down, nor do bursts of them that recur, from the third of 2,000
     * ticks on: the ticks after them run without a wait until they have caught up, and windows hide that if they are large enough. When
     * steps are short again, time gets faster by at most 10 % a tick: at 100 Hz it is real time again 0.1 s after steps of 14 ms, 0.3 s
     * after 25 ms and 1.2 s after 95 ms.
     *
     * <p>A tick may be late by a tenth of a second, or by ten ticks at rates below 100 Hz; what exceeds that is skipped, also of bursts
     * that recur. After a stall of more than twice that bound, all of its time is skipped, because the picture stood still, and would jump
     * by the ticks that catch up. For another bound, of ticks of 10 ms or less, call the constructor: with 0 every lateness is skipped at
     * once. The first 20 ticks, which load classes, slow nothing down, and lateness in them is skipped.
     *
     * @param least the slowest speed, a share of the requested speed, at most 1; if steps need a slower speed, ticks are skipped
     * @return the policy
     * @throws IllegalArgumentException if the speed is above 1
     */
    public static LateTicks dilate(TimeScale least) {
        return new LateTicks(least, USUAL_LATENESS_NANOS);
    }

    /**
     * Runs overdue ticks without a wait, and skips just enough deadlines that the next tick is late by at most the maximum. The remaining
     * deadlines keep their phase. The maximum 0 skips every deadline that has passed.
     *
     * @param maxLatenessNanos how late a tick may be, in nanoseconds of the clock, not negative
     * @return the policy
     * @throws IllegalArgumentException if the lateness is negative
     */
    public static LateTicks catchUp(long maxLatenessNanos) {
        return new LateTicks(TimeScale.ONE, maxLatenessNanos);
    }

    /**
     * {@return the policy that skips no deadline: every tick runs, however late, unless time is paused before} For lockstep, where peers
     * wait for each other. A simulation that is too slow on average falls behind without bound.
     */
    public static LateTicks catchUp() {
        return new LateTicks(TimeScale.ONE, Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        String lateness = maxLatenessNanos == Long.MAX_VALUE ? "catchUp()" : "catchUp(" + maxLatenessNanos + " ns)";
        return least.equals(TimeScale.ONE) ? lateness : "dilate(" + least + ", " + maxLatenessNanos + " ns)";
    }
}
