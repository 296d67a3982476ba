package dev.escapement.bench.measure;

import java.util.Arrays;

/**
 * Finds why deadlines were given up: because of a tick's own time, because the machine was away, or for no reason that can be seen.
 *
 * <p>The physics thread adds ticks; read it when the service is closed.
 */
public final class GivenUpTicks {

    private static final int FIELDS = 4;

    private final long periodNanos;
    private long[] late = new long[16 * FIELDS];
    private int size;
    private long ticks;
    private long dueNanos;
    private long startedNanos;
    private long publishedNanos;

    /**
     * Why deadlines were given up.
     *
     * @param slow        because a tick took longer than a period by itself
     * @param machine     because the machine was away
     * @param unexplained for neither reason
     */
    public record Reasons(long slow, long machine, long unexplained) {}

    /** Ticks that are a period apart where none is given up. */
    public GivenUpTicks(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    /** Adds a tick. Those given up between it and the one before are due to the one before. */
    public void ticked(long newDueNanos, long newStartedNanos, long newPublishedNanos) {
        if (ticks++ > 0) {
            long givenUp = Math.round((newDueNanos - dueNanos) / (double) periodNanos) - 1;
            if (givenUp > 0) {
                add(givenUp);
            }
        }
        dueNanos = newDueNanos;
        startedNanos = newStartedNanos;
        publishedNanos = newPublishedNanos;
    }

    private void add(long givenUp) {
        if (size == late.length) {
            late = Arrays.copyOf(late, 2 * size);
        }
        late[size++] = givenUp;
        late[size++] = dueNanos;
        late[size++] = startedNanos;
        late[size++] = publishedNanos;
    }

    /** Asks a witness that has ended. */
    public Reasons reasons(MachineWitness witness) {
        long slow = 0;
        long machine = 0;
        long unexplained = 0;
        for (int i = 0; i < size; i += FIELDS) {
            long due = late[i + 1];
            long started = late[i + 2];
            long published = late[i + 3];
            if (published - started - witness.awayNanos(started, published) >= periodNanos) {
                slow += late[i];
            } else if (published - due - witness.awayNanos(due, published) < periodNanos) {
                machine += late[i];
            } else {
                unexplained += late[i];
            }
        }
        return new Reasons(slow, machine, unexplained);
    }
}
