package dev.escapement.state.snapshot;

import java.util.Arrays;

/**
 * A number for each body of a block, 0 for most of them. Has no array before the first other number.
 *
 * <p>Not thread-safe: see {@link Snapshot}.
 */
final class SparseLongs {

    /** Valid only while {@link #count} is above 0; empty before the first number that is not 0. */
    private long[] values = {};

    /** How many numbers are not 0. */
    private int count;

    int count() {
        return count;
    }

    long get(int index) {
        return count == 0 || index >= values.length ? 0 : values[index];
    }

    /** Sets a number. The first one makes an array of {@code room} numbers, as many as the block has slots. */
    void set(int index, long value, int room) {
        if (get(index) != value) {
            if (count == 0) {
                values = values.length == 0 ? new long[room] : values;
                Arrays.fill(values, 0);
            }
            count += (value == 0 ? 0 : 1) - (values[index] == 0 ? 0 : 1);
            values[index] = value;
        }
    }

    void clear() {
        count = 0;
    }

    /** Copies the numbers of a block that has {@code sourceRoom}, at most the {@code room} of this block. */
    void copyFrom(SparseLongs source, int sourceRoom, int room) {
        count = source.count;
        if (count > 0) {
            values = values.length == 0 ? new long[room] : values;
            System.arraycopy(source.values, 0, values, 0, sourceRoom);
        }
    }

    long addTo(long checksum, int slots) {
        long sum = checksum;
        for (int i = 0; count > 0 && i < slots; i++) {
            sum = Checksum.add(sum, values[i]);
        }
        return sum;
    }
}
