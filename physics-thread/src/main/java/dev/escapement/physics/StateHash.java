package dev.escapement.physics;

/**
 * Hashes the raw bits of a state, value by value, without allocating: the 64-bit FNV-1a step on whole words, then the
 * finalizer of SplitMix64, so that every bit counts.
 *
 * <pre>{@code
 * long hash = StateHash.start();
 * hash = StateHash.add(hash, x);
 * return StateHash.finish(hash);
 * }</pre>
 */
public final class StateHash {

    private StateHash() {}

    /**
     * The hash of nothing.
     *
     * @return what to add the first value to
     */
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
     * Adds the states of bodies. Those of a body are mixed among themselves first, so that a processor works on several bodies at a time:
     * several times faster than value by value.
     *
     * @param hash   the hash so far
     * @param words  a body's words, then those of the next
     * @param length how many words a body has
     * @return the hash of all values so far and these
     * @throws IllegalArgumentException if the words are not those of whole bodies
     */
    public static long addRows(long hash, long[] words, int length) {
        if (length < 1 || words.length % length != 0) {
            throw new IllegalArgumentException(
                    words.length + " words are not those of bodies with " + length + " words each");
        }
        long mixed = hash;
        for (int row = 0; row < words.length; row += length) {
            mixed = add(mixed, ofRow(words, row, length));
        }
        return mixed;
    }

    /**
     * The hash of one body's words, to be added to that of all.
     *
     * @param words  where they are
     * @param from   the first
     * @param length how many
     * @return the hash of these
     */
    public static long ofRow(long[] words, int from, int length) {
        long mixed = start();
        for (int i = from; i < from + length; i++) {
            mixed = add(mixed, words[i]);
        }
        return mixed;
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
