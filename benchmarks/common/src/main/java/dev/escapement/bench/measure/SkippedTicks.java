package dev.escapement.bench.measure;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds why deadlines were skipped: because ticks took too long by themselves, because the machine was away, or for a reason that is not
 * known. Ticks that follow one another without a rest, because each ended after the next was due, are judged together.
 *
 * <p>The physics thread adds ticks; read it when the service is closed.
 */
public final class SkippedTicks {

    private static final int FIELDS = 5;

    private final long periodNanos;
    private long[] late = new long[2_048 * FIELDS]; // enough for most runs, because the physics thread pays for more
    private int size;
    private long dueNanos;
    private long endedNanos;
    private long passedOver;

    // Of the ticks without a rest that ended last: how many, when the first was due, and when it started.
    private long chainTicks;
    private long chainDueNanos;
    private long chainStartedNanos;

    /**
     * Why deadlines were skipped. That none is known for some says nothing of the library: what it promises is that each due time is a
     * tick, or reported as skipped.
     *
     * @param slow        because ticks took longer than a period by themselves
     * @param machine     because the machine was away; no more than fit into the time for which it was
     * @param unexplained for a reason that is not known
     */
    public record Reasons(long slow, long machine, long unexplained) {

        /** A machine is too slow if it makes one in this many ticks impossible by itself. */
        private static final int TOO_SLOW = 100;

        /** How many ticks were skipped. */
        public long total() {
            return slow + machine + unexplained;
        }

        /**
         * How a machine did that skipped some, in a sentence.
         *
         * @param due        how many ticks were due, skipped or not
         * @param awayMillis how long at least one core was away in all
         * @param slowAdvice what to do where ticks take too long by themselves
         */
        public String machineVerdict(long due, double awayMillis, String slowAdvice) {
            boolean tooSlow = slow > machine && TOO_SLOW * slow >= due;
            String advice = tooSlow ? slowAdvice : machine > 0 ? "close other programs, or leave it a core" : "";
            String why = Stream.of(
                            says(slow, "because ticks took too long"),
                            says(machine, "while it was away"),
                            says(unexplained, "for an unknown reason"))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
            return String.format(
                    Locale.ROOT,
                    "Machine: %s%,d of %,d due times skipped: %s; it was away for %,.0f ms in all%s.",
                    tooSlow ? "too slow here: " + 100 * (due - total()) / due + " % of real time, " : "",
                    total(),
                    due,
                    why,
                    awayMillis,
                    advice.isEmpty() ? "" : "; " + advice);
        }

        private static String says(long ticks, String why) {
            return ticks == 0 ? "" : String.format(Locale.ROOT, "%,d %s", ticks, why);
        }
    }

    /** Ticks that are a period apart where none is skipped. */
    public SkippedTicks(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    /**
     * Adds a tick. Those skipped between it and the one before are due to the one before.
     *
     * @param newEndedNanos when all of its work was done, listeners included: a thread that is delayed there starts the next tick late
     */
    public void ticked(long newDueNanos, long newStartedNanos, long newEndedNanos) {
        boolean isFirst = chainTicks == 0;
        long skipped = isFirst ? 0 : Math.round((newDueNanos - dueNanos) / (double) periodNanos) - 1;
        if (skipped > 0) {
            add(skipped);
        }
        if (isFirst || skipped > 0 || endedNanos < newDueNanos) {
            chainTicks = 1;
            chainDueNanos = newDueNanos;
            chainStartedNanos = newStartedNanos;
        } else {
            chainTicks++;
        }
        dueNanos = newDueNanos;
        endedNanos = newEndedNanos;
    }

    /** How many due times passed between ticks that were added, whether or not that was reported. */
    public long passedOver() {
        return passedOver;
    }

    private void add(long skipped) {
        passedOver += skipped;
        if (size == late.length) {
            late = Arrays.copyOf(late, 2 * size);
        }
        late[size++] = skipped;
        late[size++] = chainTicks;
        late[size++] = chainDueNanos;
        late[size++] = chainStartedNanos;
        late[size++] = endedNanos;
    }

    /** Asks a witness that has ended. */
    public Reasons reasons(MachineWitness witness) {
        long slow = 0;
        long machine = 0;
        long total = 0;
        for (int i = 0; i < size; i += FIELDS) {
            long allowedNanos = late[i + 1] * periodNanos;
            long due = late[i + 2];
            long started = late[i + 3];
            long ended = late[i + 4];
            long ownNanos = ended - started - witness.awayNanos(started, ended);
            long thereNanos = ended - due - witness.awayNanos(due, ended);
            total += late[i];
            if (ownNanos >= allowedNanos) {
                slow += late[i];
            } else if (thereNanos < allowedNanos) {
                machine += late[i];
            }
        }
        long maxWhileAway = (long) Math.ceil(1e6 * witness.awayMillis() / periodNanos);
        machine = Math.min(machine, maxWhileAway);
        return new Reasons(slow, machine, total - slow - machine);
    }
}
