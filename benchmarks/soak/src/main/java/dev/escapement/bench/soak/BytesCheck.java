package dev.escapement.bench.soak;

import dev.escapement.bench.stress.trial.Check;

/**
 * Judges whether ticks or frames allocate, fifty at a time: one that runs code for the first time, or makes room for more, may. A busy
 * machine compiles code late, interpreted code allocates what compiled code does not, and statistics make room for times that are unlike
 * those before: so four fifties in a row have to, or twelve if fewer than half of their ticks do, or only some, but a lot. One thread. Allocates nothing.
 */
final class BytesCheck {

    private static final int JUDGED_AT_ONCE = 50;
    private static final int MAY_ALLOCATE = 6;
    private static final int FEW_IN_A_ROW = 12;
    private static final int MANY = JUDGED_AT_ONCE / 2;

    /** Of those that may: their statistics make room by some kilobytes. */
    private static final long MANY_BYTES = 1 << 17;

    /** As how many fifties one counts of which many allocate. */
    private static final int MANY_COUNT_AS = 3;

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
            boolean mayAllocate = allocating <= MAY_ALLOCATE && bytes <= MANY_BYTES;
            inARow = mayAllocate ? 0 : inARow + (allocating >= MANY ? MANY_COUNT_AS : 1);
            if (inARow == 0) {
                check.held(holds ? 1 : 0);
            } else if (inARow >= FEW_IN_A_ROW) {
                check.broken(allocating + " of " + count + " " + what + " allocated " + bytes + " bytes in all");
            }
            count = 0;
            allocating = 0;
            bytes = 0;
        }
    }
}
