package dev.escapement.bench.soak;

import dev.escapement.bench.stress.trial.Check;

/**
 * Judges whether ticks or frames allocate, fifty at a time: one that runs code for the first time, or makes room for more, may. A busy
 * machine compiles code late, and interpreted code allocates what compiled code does not: so four fifties in a row have to. One thread.
 * Allocates nothing.
 */
final class BytesCheck {

    private static final int JUDGED_AT_ONCE = 50;
    private static final int MAY_ALLOCATE = 6;
    private static final int IN_A_ROW = 4;

    private final Check check;
    private final boolean holds;
    private final String what;
    private int count;
    private int allocating;
    private long bytes;
    private int inARow;

    /**
     * @param holds whether what allocates nothing counts as a check
     * @param what  the ticks or frames, in words
     */
    BytesCheck(Check check, boolean holds, String what) {
        this.check = check;
        this.holds = holds;
        this.what = what;
    }

    /** Adds a tick or frame, and what it has allocated. */
    void add(long allocatedBytes) {
        count++;
        allocating += allocatedBytes == 0 ? 0 : 1;
        bytes += allocatedBytes;
        if (count == JUDGED_AT_ONCE) {
            inARow = allocating <= MAY_ALLOCATE ? 0 : inARow + 1;
            if (inARow == 0) {
                check.held(holds ? 1 : 0);
            } else if (inARow >= IN_A_ROW) {
                check.broken(allocating + " of " + count + " " + what + " allocated " + bytes + " bytes in all");
            }
            count = 0;
            allocating = 0;
            bytes = 0;
        }
    }
}
