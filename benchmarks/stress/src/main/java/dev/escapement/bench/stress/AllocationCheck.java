package dev.escapement.bench.stress;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Checks that ticks allocate nothing beside the code of the world. Physics thread, unless said otherwise. */
final class AllocationCheck implements Part {

    /**
     * The ticks before the measurement. In them, each of up to 62 snapshots of the exchange allocates room for the bodies when it is first
     * written.
     */
    private static final long WARM_UP_TICKS = 100;

    /** The lateness from which on statistics may allocate, because they need room for durations that they have not counted before. */
    private static final long ON_TIME_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The minimum difference in length between two ticks that shows a changed speed of time. */
    private static final long ROUNDING_NANOS = 2_000;

    private static final int LEAKED_BYTES = 1024;
    private static final double MANY_BYTES = 10_000;

    private final Life life;
    private final Fifties fifties;
    private final boolean isCounted;
    private final boolean isHosted;

    private final List<byte[]> leaked = new ArrayList<>();

    /** Whether foreign code ran since the last tick: a command or a query of the storm. */
    private boolean disturbed;

    /** The bytes that the previous tick allocated. Judged when the next tick has been published; negative if the tick does not count. */
    private long judgedBytes = -1;

    private long ticks;
    private long dueNanosBefore;
    private long lengthNanosBefore;
    private long bytesBefore;
    private long worldBytesBefore;

    AllocationCheck(Life life) {
        this.life = life;
        isCounted = !life.plan.keepsPast(); // a history or a log allocates memory for past ticks
        isHosted = life.isHosted();
        fifties = new Fifties(life.trial.check(Promise.ALLOCATES_NOTHING), true, "ticks of " + life.plan);
    }

    /** Marks the tick as disturbed by a query, whose allocations do not count. */
    void disturb() {
        disturbed = true;
    }

    @Override
    public void command(long tick, Object command) {
        disturbed = true;
    }

    @Override
    public void stepping(Tick tick) {
        if (isHosted) { // not counted, because a host's thread ticks other worlds between this world's ticks
            bytesBefore = ThreadCounts.allocatedBytes();
            worldBytesBefore = life.world.allocatedBytes();
        }
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        disturbed = true;
    }

    /**
     * Judges the previous tick. A tick that changes the speed of time may allocate the objects for that, but only the length of the next
     * tick shows the change. On a busy machine every lateness is different: a tick that is late, or makes the next one late, does not
     * count.
     */
    @Override
    public void published(TickTimes times) {
        plant();
        long dueNanos = times.dueNanos();
        long lengthNanos = dueNanos - dueNanosBefore;
        if (judgedBytes >= 0 && Math.abs(lengthNanos - lengthNanosBefore) <= ROUNDING_NANOS) {
            fifties.add(judgedBytes);
        }
        dueNanosBefore = dueNanos;
        lengthNanosBefore = lengthNanos;
        long worldBytes = life.world.allocatedBytes();
        boolean isOnTime =
                times.startedNanos() - dueNanos <= ON_TIME_NANOS && times.publishedNanos() - dueNanos <= lengthNanos;
        judgedBytes = !disturbed && isCounted && isOnTime && ticks++ > WARM_UP_TICKS
                ? ThreadCounts.allocatedBytes() - bytesBefore - (worldBytes - worldBytesBefore)
                : -1;
        worldBytesBefore = worldBytes;
        disturbed = false;
        bytesBefore = ThreadCounts.allocatedBytes();
    }

    private void plant() {
        if (life.trial.isPlanted(Promise.ALLOCATES_NOTHING)) {
            leaked.add(new byte[LEAKED_BYTES]);
            leaked.clear();
        } else if (life.trial.isPlanted(Promise.MEMORY_FLAT)) {
            leaked.add(new byte[LEAKED_BYTES]);
        }
    }

    /** Adds a finding if the world's code allocates a lot. */
    @Override
    public void check() {
        double bytesPerTick = (double) life.world.allocatedBytes() / Math.max(1, life.ticks());
        if (bytesPerTick > MANY_BYTES) {
            life.trial.finding(
                    String.format(Locale.ROOT, "the world allocates %,.0f bytes a tick on average", bytesPerTick));
        }
    }

    /**
     * Judges the allocations of ticks or frames in groups of fifty. A tick that runs code for the first time, or makes room for more, may
     * allocate. A busy machine compiles code late, interpreted code allocates more than compiled code, and statistics make room for times
     * that are unlike earlier ones. So the check reports a violation after four groups in a row in which at least half of the ticks
     * allocate, or after twelve in a row in which fewer do, but more than a few. One thread. Allocates nothing.
     */
    static final class Fifties {

        private static final int JUDGED_AT_ONCE = 50;
        private static final int MAY_ALLOCATE = 6;
        private static final int FEW_IN_A_ROW = 12;
        private static final int MANY = JUDGED_AT_ONCE / 2;

        /** The allowed bytes of a group in which few ticks allocate, because statistics grow by some kilobytes now and then. */
        private static final long MANY_BYTES = 1 << 17;

        /** The number of groups as which a group counts in which many ticks allocate. */
        private static final int MANY_COUNT_AS = 3;

        private final Check check;
        private final boolean holds;
        private final String what;
        private int count;
        private int allocating;
        private long bytes;
        private int inARow;

        /**
         * Creates an empty count.
         *
         * @param holds whether a group without allocations counts as a check
         * @param what  the ticks or frames, in words
         */
        Fifties(Check check, boolean holds, String what) {
            this.check = check;
            this.holds = holds;
            this.what = what;
        }

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
}
