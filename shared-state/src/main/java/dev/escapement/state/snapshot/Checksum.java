package dev.escapement.state.snapshot;

/** Computes a checksum: a polynomial over the raw bits of the values. */
final class Checksum {

    /** Odd, so that the multiplication loses no bit. */
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private Checksum() {}

    static long add(long checksum, long value) {
        return checksum * FACTOR + value;
    }

    static long add(long checksum, double value) {
        return add(checksum, Double.doubleToRawLongBits(value));
    }

    static long add(long checksum, float[] values, int length) {
        long sum = checksum;
        for (int i = 0; i < length; i++) {
            sum = sum * FACTOR + Float.floatToRawIntBits(values[i]);
        }
        return sum;
    }
}
