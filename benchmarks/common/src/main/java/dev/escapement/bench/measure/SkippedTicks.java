package dev.escapement.bench.measure;

import java.util.Arrays;

/**
 * Finds why due times were skipped: because ticks took too long, because the machine was away, or for an unknown reason. Consecutive ticks
 * without idle time, because each ended after the next was due, are judged together.
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

    // The last consecutive ticks without idle time: how many, when the first was due, and when it started.
    private long chainTicks;
    private long chainDueNanos;
    private long chainStartedNanos;

    /**
     * Why due times were skipped. An unknown reason is no fault of the library: it promises that each due time is a tick, or reported as
     * skipped.
     *
     * @param slow        because ticks took longer than a period
     * @param machine     because the machine was away; at most as many as fit into that time
     * @param unexplained for an unknown reason
     */
    public record Reasons(long slow, long machine, long unexplained) {

        /** How many ticks were skipped. */
        public long total() {
            return slow + machine + unexplained;
        }
    }

    /** Ticks that are a period apart if none is skipped. */
    public SkippedTicks(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    /**
     * Adds a tick. Ticks skipped between it and the previous one are due to the previous one.
     *
     * @param newEndedNanos when all of its work was done, including listeners: a delay there makes the next tick late
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

    /** How many due times passed between added ticks, whether reported or not. */
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

    /** The reasons, by a witness that has ended. */
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
