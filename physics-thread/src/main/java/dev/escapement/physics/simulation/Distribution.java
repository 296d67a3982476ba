package dev.escapement.physics.simulation;

/**
 * A histogram of times up to a minute, in nanoseconds with an error of at most 1%.
 *
 * <p>Any thread reads at any time, and waits for nothing. A running service keeps changing the numbers.
 *
 * @see PhysicsStats
 */
public interface Distribution {

    /** {@return the number of recorded times} */
    long count();

    /**
     * {@return the nanoseconds that a share of all recorded times does not exceed; 0 if none was recorded}
     *
     * @param percent the share, 0 to 100: 50 for the median, 100 for the longest time
     * @throws IllegalArgumentException if it is out of that range
     */
    long percentile(double percent);
}
