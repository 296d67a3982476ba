package dev.escapement.bench.measure;

import java.util.Arrays;
import java.util.Locale;

/**
 * Finds why deadlines were given up: because ticks took too long by themselves, because the machine was away, or for no reason that can be
 * seen. Ticks that follow one another without a rest, because each ended after the next was due, are judged together.
 *
 * <p>The physics thread adds ticks; read it when the service is closed.
 */
public final class GivenUpTicks {

    private static final int FIELDS = 5;

    private final long periodNanos;
    private long[] late = new long[2_048 * FIELDS]; // enough for most runs, because the physics thread pays for more
    private int size;
    private long dueNanos;
    private long endedNanos;

    // Of the ticks without a rest that ended last: how many, when the first was due, and when it started.
    private long chainTicks;
    private long chainDueNanos;
    private long chainStartedNanos;

    /**
     * Why deadlines were given up.
     *
     * @param slow        because ticks took longer than a period by themselves
     * @param machine     because the machine was away
     * @param unexplained for neither reason
     */
    public record Reasons(long slow, long machine, long unexplained) {

        /** No tick was given up. */
        public static final Reasons NONE = new Reasons(0, 0, 0);

        /** Of both. */
        public Reasons plus(Reasons other) {
            return new Reasons(slow + other.slow, machine + other.machine, unexplained + other.unexplained);
        }

        /** How many ticks were given up. */
        public long total() {
            return slow + machine + unexplained;
        }

        /** How the library did, in a sentence: it has to have a reason for each. */
        public String libraryVerdict() {
            return unexplained == 0
                    ? "Library: every promise held: every deadline was met or given up for a reason."
                    : String.format(
                            Locale.ROOT,
                            "Library: %,d %s given up although the machine was there and no tick took too long.",
                            unexplained,
                            unexplained == 1 ? "tick was" : "ticks were");
        }

        /**
         * How the machine did, in a sentence.
         *
         * @param awayMillis how long at least one core was away in all
         * @param advice     what to do where ticks took too long by themselves
         */
        public String machineVerdict(double awayMillis, String advice) {
            if (slow > machine) {
                return String.format(
                        Locale.ROOT,
                        "Machine: too slow here: %,d of %,d ticks given up because ticks took too long; %s.",
                        slow,
                        total(),
                        advice);
            }
            return total() == 0
                    ? String.format(
                            Locale.ROOT,
                            "Machine: kept up: no tick given up; it was away for %,.0f ms in all.",
                            awayMillis)
                    : "Machine: " + whileAway(machine, total(), slow, awayMillis) + ".";
        }

        /** What the machine took away, beside what ticks took too long by themselves. */
        public static String whileAway(long machine, long total, long slow, double awayMillis) {
            return String.format(
                    Locale.ROOT,
                    "%,d of %,d ticks given up while it was away (its cores ran something else for %,.0f ms)%s; close other"
                            + " programs, or leave it a core",
                    machine,
                    total,
                    awayMillis,
                    slow == 0 ? "" : String.format(Locale.ROOT, ", %,d because a step took too long", slow));
        }
    }

    /** Ticks that are a period apart where none is given up. */
    public GivenUpTicks(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    /**
     * Adds a tick. Those given up between it and the one before are due to the one before.
     *
     * @param newEndedNanos when all of its work was done, listeners included: a thread that is delayed there starts the next tick late
     */
    public void ticked(long newDueNanos, long newStartedNanos, long newEndedNanos) {
        boolean isFirst = chainTicks == 0;
        long givenUp = isFirst ? 0 : Math.round((newDueNanos - dueNanos) / (double) periodNanos) - 1;
        if (givenUp > 0) {
            add(givenUp);
        }
        if (isFirst || givenUp > 0 || endedNanos < newDueNanos) {
            chainTicks = 1;
            chainDueNanos = newDueNanos;
            chainStartedNanos = newStartedNanos;
        } else {
            chainTicks++;
        }
        dueNanos = newDueNanos;
        endedNanos = newEndedNanos;
    }

    private void add(long givenUp) {
        if (size == late.length) {
            late = Arrays.copyOf(late, 2 * size);
        }
        late[size++] = givenUp;
        late[size++] = chainTicks;
        late[size++] = chainDueNanos;
        late[size++] = chainStartedNanos;
        late[size++] = endedNanos;
    }

    /** Asks a witness that has ended. What it cannot see, for it is too short, explains what it makes late by no more. */
    public Reasons reasons(MachineWitness witness) {
        long slow = 0;
        long machine = 0;
        long unexplained = 0;
        for (int i = 0; i < size; i += FIELDS) {
            long allowedNanos = late[i + 1] * periodNanos;
            long due = late[i + 2];
            long started = late[i + 3];
            long ended = late[i + 4];
            long ownNanos = ended - started - witness.awayNanos(started, ended);
            long thereNanos = ended - due - witness.awayNanos(due, ended);
            if (ownNanos >= allowedNanos) {
                slow += late[i];
            } else if (thereNanos < allowedNanos + witness.shortestAwayNanos()) {
                machine += late[i];
            } else {
                unexplained += late[i];
            }
        }
        return new Reasons(slow, machine, unexplained);
    }
}
