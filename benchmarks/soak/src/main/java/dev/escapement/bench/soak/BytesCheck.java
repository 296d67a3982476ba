package dev.escapement.bench.soak;

import dev.escapement.bench.stress.trial.Check;

/**
 * Judges whether ticks or frames allocate, fifty at a time: one that runs code for the first time, or makes room for more, may. One
 * thread. Allocates nothing.
 */
final class BytesCheck {

    private static final int JUDGED_AT_ONCE = 50;
    private static final int MAY_ALLOCATE = 10;

    private final Check check;
    private final String what;
    private int count;
    private int allocating;
    private long bytes;

    /** @param what the ticks or frames, in words */
    BytesCheck(Check check, String what) {
        this.check = check;
        this.what = what;
    }

    /** Adds a tick or frame, and what it has allocated. */
    void add(long allocatedBytes) {
        count++;
        allocating += allocatedBytes == 0 ? 0 : 1;
        bytes += allocatedBytes;
        if (count == JUDGED_AT_ONCE) {
            if (allocating <= MAY_ALLOCATE) {
                check.held(1);
            } else {
                check.broken(allocating + " of " + count + " " + what + " allocated " + bytes + " bytes in all");
            }
            count = 0;
            allocating = 0;
            bytes = 0;
        }
    }
}
