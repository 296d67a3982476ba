package dev.escapement.physics;

import java.util.Objects;

/**
 * The policy for ticks that are overdue because an earlier one took too long. With every policy tick numbers stay consecutive; skipped
 * time is counted, and simulated time stands still during it.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation).lateTicks(LateTicks.burst(4)).start();
 * }</pre>
 *
 * @param policy     which deadlines are skipped
 * @param maxInARow for {@link Policy#BURST}, how many ticks run without a wait before the rest is skipped
 */
public record LateTicks(Policy policy, int maxInARow) {

    /** Which deadlines are skipped. */
    public enum Policy {
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
     * Checks the number.
     *
     * @param policy     which deadlines are skipped
     * @param maxInARow how many ticks run without a wait, at least 1
     * @throws IllegalArgumentException if the number is not positive
     */
    public LateTicks {
        Objects.requireNonNull(policy, "policy must not be null; the default is SKIP, by LateTicks.skip()");
        if (maxInARow < 1) {
            throw new IllegalArgumentException("a burst needs at least 1 tick in a row, but maxInARow is " + maxInARow);
        }
    }

    /** {@return the default: skips the deadlines that have passed, and keeps the phase} */
    public static LateTicks skip() {
        return new LateTicks(Policy.SKIP, 1);
    }

    /**
     * Catches up by a bounded number of ticks without a wait.
     *
     * @param maxInARow how many ticks run without a wait before the rest is skipped, at least 1
     * @return the policy
     * @throws IllegalArgumentException if the number is not positive
     */
    public static LateTicks burst(int maxInARow) {
        return new LateTicks(Policy.BURST, maxInARow);
    }

    /** {@return the policy that moves the deadlines: the late tick is due now, and all others follow it} */
    public static LateTicks delay() {
        return new LateTicks(Policy.DELAY, 1);
    }

    /** {@return the policy that runs every tick} A simulation that is too slow on average falls behind without bound. */
    public static LateTicks runAll() {
        return new LateTicks(Policy.RUN_ALL, 1);
    }
}
