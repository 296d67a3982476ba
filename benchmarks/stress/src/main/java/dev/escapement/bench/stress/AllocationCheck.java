package dev.escapement.bench.stress;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Checks that ticks allocate nothing except in the code of the world. Physics thread, unless a method says otherwise. */
final class AllocationCheck implements Part {

    /**
     * How many ticks run before the measurement. In these ticks, each of the exchange's snapshots, up to 62, is written for the first time
     * and allocates room for the bodies.
     */
    private static final long WARM_UP_TICKS = 100;

    /**
     * A tick that starts later than this is not judged. Its durations may be new to the statistics, which then allocate room to count them.
     */
    private static final long ON_TIME_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Two ticks whose lengths differ by more than this show a changed speed of time. */
    private static final long ROUNDING_NANOS = 2_000;

    private static final int LEAKED_BYTES = 1024;
    private static final double MANY_BYTES = 10_000;

    private final Life life;
    private final Fifties fifties;
    private final boolean isCounted;
    private final boolean isHosted;

    private final List<byte[]> leaked = new ArrayList<>();

    /** Whether code of the storm, a command or a query, ran since the last tick. Its allocations are not the library's. */
    private boolean disturbed;

    /** The bytes that the previous tick allocated, judged once the next tick is published; negative if the previous tick does not count. */
    private long judgedBytes = -1;

    private long ticks;
    private long dueNanosBefore;
    private long lengthNanosBefore;
    private long bytesBefore;
    private long worldBytesBefore;

    AllocationCheck(Life life) {
        this.life = life;
        isCounted = !life.plan.keepsPast(); // false if a history or a log allocates memory for past ticks
        isHosted = life.isHosted();
        fifties = new Fifties(life.trial.check(Promise.ALLOCATES_NOTHING), true, "ticks of " + life.plan);
    }

    /** Marks the current tick as one in which a query ran, whose allocations are not the library's. */
    void disturb() {
        disturbed = true;
    }

    @Override
    public void command(long tick, Object command) {
        disturbed = true;
    }

    @Override
    public void stepping(Tick tick) {
        // Starts counting at the step, because between two ticks of this world a host's thread ticks other worlds.
        if (isHosted) {
            bytesBefore = ThreadCounts.allocatedBytes();
            worldBytesBefore = life.world.allocatedBytes();
        }
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        disturbed = true;
    }

    /**
     * Judges the previous tick. A tick that changes the speed of time may allocate for that, and only the length of the next tick shows the
     * change. A tick that starts late, or ends after the next one is due, does not count, because new latenesses make the statistics grow.
     */
    @Override
    public void published(TickHook.Times times) {
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

    /** Reports as a finding if the world's own code allocates a lot. */
    @Override
    public void check() {
        double bytesPerTick = (double) life.world.allocatedBytes() / Math.max(1, life.ticks());
        if (bytesPerTick > MANY_BYTES) {
            life.trial.finding(
                    String.format(Locale.ROOT, "the world allocates %,.0f bytes a tick on average", bytesPerTick));
        }
    }

    /**
     * Judges the allocations of ticks or frames in groups of fifty. Some allocations are allowed: those of code that runs for the first
     * time or in the interpreter, which on a busy machine may be late, and those of statistics for times unlike earlier ones. So a
     * violation is reported only after four groups in a row in which at least half of the ticks allocate, or after twelve in a row in which
     * fewer do, but more than a few. One thread. Allocates nothing.
     */
    static final class Fifties {

        private static final int JUDGED_AT_ONCE = 50;
        private static final int MAY_ALLOCATE = 6;
        private static final int FEW_IN_A_ROW = 12;
        private static final int MANY = JUDGED_AT_ONCE / 2;

        /** How many bytes a group may allocate if only few of its ticks allocate. Statistics grow by some kilobytes now and then. */
        private static final long MANY_BYTES = 1 << 17;

        /** A group in which many ticks allocate counts as this many groups. */
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
         * @param holds whether a group without allocations counts as a check of the promise
         * @param what  what is judged, ticks or frames, for messages
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
