package dev.escapement.physics;

import dev.escapement.state.time.TimeScale;
import java.util.Objects;

/**
 * The policy for ticks that take too long, or are overdue because an earlier one took too long. With every policy tick numbers stay
 * consecutive; skipped time is counted, and simulated time stands still during it.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation).lateTicks(LateTicks.burst(4)).start();
 * }</pre>
 *
 * @param policy     which deadlines are moved or skipped
 * @param maxInARow for {@link Policy#BURST}, how many ticks run without a wait before the rest is skipped
 * @param least      for {@link Policy#DILATE}, the slowest speed of time, a share of that asked for
 */
public record LateTicks(Policy policy, int maxInARow, TimeScale least) {

    private static final TimeScale TENTH = new TimeScale(1, 10);

    /** Which deadlines are moved or skipped. */
    public enum Policy {
        /**
         * Slows simulated time down while steps take longer than a tick, to the speed that the machine can hold: the world moves slower, and
         * evenly. When steps are short again, time gets faster in small steps. A tick that is late once is caught up
         * with if windows hide that: with windows of K snapshots, up to K - 2 ticks, half a tick if K is 2. If it is later, none of its lateness is
         * caught up with: the next tick is due at once, as with DELAY.
         */
        DILATE,
        /**
         * Skips all deadlines that have passed, and keeps the phase of the others. Simulated time slows down, and work does not pile up.
         */
        SKIP,
        /** Runs a bounded number of ticks without a wait to catch up, the slow one included; then skips what is still overdue. */
        BURST,
        /**
         * Skips the deadlines between the late tick and now: the late tick is due now, and all others follow it. Does not keep the
         * phase.
         */
        DELAY,
        /** Skips none: every tick runs, however late, unless time is paused before. For lockstep, where peers wait for each other. */
        RUN_ALL
    }

    /**
     * Checks the numbers.
     *
     * @param policy     which deadlines are skipped
     * @param maxInARow how many ticks run without a wait, at least 1
     * @param least     the slowest speed, at most 1
     * @throws IllegalArgumentException if the number is not positive, or the speed above 1
     */
    public LateTicks {
        Objects.requireNonNull(policy, "policy must not be null; the default is DILATE, by LateTicks.dilate()");
        Objects.requireNonNull(least, "least must not be null; the default is new TimeScale(1, 10)");
        if (least.numerator() > least.denominator()) {
            throw new IllegalArgumentException("the least speed is a share of the speed asked for, at most 1, but is "
                    + least + "; pass new TimeScale(1, 10), say");
        }
        if (maxInARow < 1) {
            throw new IllegalArgumentException("a burst needs at least 1 tick in a row, but maxInARow is " + maxInARow);
        }
    }

    /**
     * {@return the default: slows time down evenly while steps take longer than a tick, to a tenth of its speed at most} When steps are short
     * again, time gets faster by 1 % a tick at first, then by up to 10 %: at 100 Hz it is real time again 0.2 s after steps of 14 ms, 0.4 s after 25 ms and 1.3 s
     * after 95 ms. In the first 20 ticks, which load classes, time is not slowed down.
     */
    public static LateTicks dilate() {
        return dilate(TENTH);
    }

    /**
     * Slows time down evenly while steps take longer than a tick.
     *
     * @param least the slowest speed, a share of that asked for, at most 1; steps that need a slower one make ticks be skipped
     * @return the policy
     * @throws IllegalArgumentException if the speed is above 1
     */
    public static LateTicks dilate(TimeScale least) {
        return new LateTicks(Policy.DILATE, 1, least);
    }

    /** {@return the policy that skips the deadlines that have passed, and keeps the phase} */
    public static LateTicks skip() {
        return new LateTicks(Policy.SKIP, 1, TENTH);
    }

    /**
     * Catches up by a bounded number of ticks without a wait.
     *
     * @param maxInARow how many ticks run without a wait before the rest is skipped, at least 1
     * @return the policy
     * @throws IllegalArgumentException if the number is not positive
     */
    public static LateTicks burst(int maxInARow) {
        return new LateTicks(Policy.BURST, maxInARow, TENTH);
    }

    /** {@return the policy that moves the deadlines: the late tick is due now, and all others follow it} */
    public static LateTicks delay() {
        return new LateTicks(Policy.DELAY, 1, TENTH);
    }

    /** {@return the policy that runs every tick} A simulation that is too slow on average falls behind without bound. */
    public static LateTicks runAll() {
        return new LateTicks(Policy.RUN_ALL, 1, TENTH);
    }
}
