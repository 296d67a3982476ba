package dev.escapement.physics.host;

/**
 * What one world of a host may use.
 *
 * <pre>{@code
 * host.add(builder, WorldShare.EQUAL.weight(4)); // as much as four others
 * host.add(builder, WorldShare.EQUAL.cap(0.25)); // a quarter of a core at most
 * }</pre>
 *
 * @param weight its part of the cores, beside the weights of the other worlds: what it uses within that is its budget, positive
 * @param cap    the largest share of one core that it uses, above 0 and at most 1; a world that needs more gets slower by its own policy
 */
public record WorldShare(double weight, double cap) {

    /** The default: weight 1, and no cap. */
    public static final WorldShare EQUAL = new WorldShare(1, 1);

    /**
     * Checks the numbers.
     *
     * @param weight positive
     * @param cap    above 0 and at most 1
     * @throws IllegalArgumentException if one is out of its range
     */
    public WorldShare {
        if (!(weight > 0 && weight <= 1e6)) {
            throw new IllegalArgumentException(
                    "a weight must be above 0 and at most 1000000, but is " + weight + "; the default is 1");
        }
        if (!(cap > 0 && cap <= 1)) {
            throw new IllegalArgumentException(
                    "a cap is a share of a core, above 0 and at most 1, but is " + cap + "; 1 is no cap");
        }
    }

    /**
     * {@return this with another weight}
     *
     * @param newWeight positive
     */
    public WorldShare weight(double newWeight) {
        return new WorldShare(newWeight, cap);
    }

    /**
     * {@return this with another cap}
     *
     * @param newCap above 0 and at most 1
     */
    public WorldShare cap(double newCap) {
        return new WorldShare(weight, newCap);
    }
}
