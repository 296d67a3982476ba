package dev.escapement.physics.restore;

/**
 * Hashes the raw bits of a state, value by value, without allocating: with the 64-bit FNV-1a step on whole 64-bit words, then the finalizer
 * of SplitMix64.
 *
 * <pre>{@code
 * long hash = StateHash.start();
 * hash = StateHash.add(hash, x);
 * return StateHash.finish(hash);
 * }</pre>
 */
public final class StateHash {

    private StateHash() {}

    /** {@return the hash of no values, to start with} */
    public static long start() {
        return 0xCBF29CE484222325L;
    }

    /**
     * Adds a value.
     *
     * @param hash  the hash so far
     * @param value the value
     * @return the hash of all values so far and this one
     */
    public static long add(long hash, long value) {
        long mixed = (hash ^ value) * 0x100000001B3L;
        return mixed ^ (mixed >>> 32);
    }

    /**
     * Adds a value's raw bits, so that -0 and NaNs count.
     *
     * @param hash  the hash so far
     * @param value the value
     * @return the hash of all values so far and this one
     */
    public static long add(long hash, double value) {
        return add(hash, Double.doubleToRawLongBits(value));
    }

    /**
     * Adds the first values of an array, several times faster than one by one: computes four independent hashes side by side, because each
     * step of one hash has to wait for the step before.
     *
     * @param hash  the hash so far
     * @param words the values
     * @param count how many of them to add
     * @return the hash of all values so far and these
     */
    public static long addAll(long hash, long[] words, int count) {
        long a = hash;
        long b = ~hash;
        long c = start();
        long d = ~start();
        int i = 0;
        for (; i + 3 < count; i += 4) {
            a = add(a, words[i]);
            b = add(b, words[i + 1]);
            c = add(c, words[i + 2]);
            d = add(d, words[i + 3]);
        }
        for (; i < count; i++) {
            a = add(a, words[i]);
        }
        return add(add(add(add(count, a), b), c), d);
    }

    /**
     * Ends a hash.
     *
     * @param hash the hash of all values
     * @return the hash to compare
     */
    public static long finish(long hash) {
        long mixed = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
