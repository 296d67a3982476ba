package dev.escapement.physics.simulation;

import dev.escapement.state.time.TimeScale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The policy for ticks that take too long, or are overdue because an earlier tick took too long: time slows down, or physics catches up.
 * Either way tick numbers stay consecutive. Skipped time is counted, and simulated time stands still during it.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation).lateTicks(LateTicks.catchUp(40_000_000)).start();
 * }</pre>
 *
 * @param least            the slowest speed, a share of the requested speed; null if time is not slowed down
 * @param maxLatenessNanos how late a tick may be, in nanoseconds of the clock, where time is not slowed down; {@link Long#MAX_VALUE} for
 *                         any
 */
public record LateTicks(@Nullable TimeScale least, long maxLatenessNanos) {

    /**
     * Checks the numbers.
     *
     * @param least            at most 1
     * @param maxLatenessNanos not negative
     * @throws IllegalArgumentException if the speed is above 1, or the lateness negative
     */
    public LateTicks {
        if (least != null && least.numerator() > least.denominator()) {
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
     * Slows simulated time down while steps take longer than a tick, to the speed that the machine can hold: the world moves slower, and
     * evenly. When steps are short again, time gets faster by 1 % a tick at first, then by up to 10 %: at 100 Hz it is real time again
     * 0.2 s after steps of 14 ms, 0.4 s after 25 ms and 1.3 s after 95 ms. In the first 20 ticks, which load classes, time is not slowed
     * down.
     *
     * <p>A tick that is late once is caught up with if windows hide that: with windows of K snapshots, up to K - 2 ticks, half a tick if K
     * is 2. If it is later, the next tick is due at once, and all others follow it.
     *
     * @param least the slowest speed, a share of the requested speed, at most 1; steps that need a slower one make ticks be skipped
     * @return the policy
     * @throws IllegalArgumentException if the speed is above 1
     */
    public static LateTicks dilate(TimeScale least) {
        return new LateTicks(
                Objects.requireNonNull(least, "least must not be null; the default is new TimeScale(1, 10)"), 0);
    }

    /**
     * Runs overdue ticks without a wait, and skips as many deadlines as make the next tick late by the maximum at most. The others keep
     * their phase. The maximum 0 skips every deadline that has passed.
     *
     * @param maxLatenessNanos how late a tick may be, in nanoseconds of the clock, not negative
     * @return the policy
     * @throws IllegalArgumentException if the lateness is negative
     */
    public static LateTicks catchUp(long maxLatenessNanos) {
        return new LateTicks(null, maxLatenessNanos);
    }

    /**
     * {@return the policy that skips no deadline: every tick runs, however late, unless time is paused before} For lockstep, where peers
     * wait for each other. A simulation that is too slow on average falls behind without bound.
     */
    public static LateTicks catchUp() {
        return new LateTicks(null, Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        String lateness = maxLatenessNanos == Long.MAX_VALUE ? "catchUp()" : "catchUp(" + maxLatenessNanos + " ns)";
        return least == null ? lateness : "dilate(" + least + ")";
    }
}
