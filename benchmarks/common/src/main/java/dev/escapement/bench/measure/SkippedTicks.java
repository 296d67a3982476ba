package dev.escapement.bench.measure;

import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds why due times were skipped: because ticks took too long, because the machine was away, or for an unknown reason. Consecutive ticks
 * without idle time, because each ended after the next was due, are judged together.
 *
 * <p>The physics thread adds ticks; read it when the service is closed.
 */
public final class SkippedTicks {

    private final List<Late> late = new ArrayList<>(); // the physics thread allocates only where ticks are skipped
    private long skippedBefore;
    private long endedNanos;
    private long shortestNanos = Long.MAX_VALUE;

    // The last consecutive ticks without idle time: how long they may take, 0 before the first, when it was due, and
    // when it started.
    private long chainNanos;
    private long chainDueNanos;
    private long chainStartedNanos;

    /** Ticks without idle time that ended in skipped ones: how long they may take, when they were due, started and ended, in nanoseconds. */
    private record Late(long skipped, long allowed, long due, long started, long ended) {}

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

    /**
     * Adds a tick of a world, which counts what it skips: due times alone do not show that where time is paused or changes its speed.
     *
     * @param skippedTicks what the world has skipped so far
     * @param ended        when all of its work was done, including listeners: a delay there makes the next tick late
     */
    public void ticked(WorldControl world, long skippedTicks, long dueNanos, long startedNanos, long ended) {
        TimeScale scale = world.timeScale();
        long periodNanos = world.rate().nanosAt(1) * scale.denominator() / scale.numerator();
        ticked(skippedTicks, periodNanos, dueNanos, startedNanos, ended);
    }

    void ticked(long skippedSoFar, long periodNanos, long dueNanos, long startedNanos, long newEndedNanos) {
        if (chainNanos == 0 || endedNanos < dueNanos) {
            chainNanos = 0;
            chainDueNanos = dueNanos;
            chainStartedNanos = startedNanos;
        }
        chainNanos += periodNanos;
        endedNanos = newEndedNanos;
        shortestNanos = Math.min(shortestNanos, periodNanos);
        if (skippedSoFar > skippedBefore) {
            late.add(new Late(skippedSoFar - skippedBefore, chainNanos, chainDueNanos, chainStartedNanos, endedNanos));
            skippedBefore = skippedSoFar;
            chainNanos = 0;
        }
    }

    /** The reasons, by a witness that has ended. */
    public Reasons reasons(MachineWitness witness) {
        long slow = 0;
        long machine = 0;
        long total = 0;
        for (Late one : late) {
            long ownNanos = one.ended - one.started - witness.awayNanos(one.started, one.ended);
            long thereNanos = one.ended - one.due - witness.awayNanos(one.due, one.ended);
            total += one.skipped;
            if (ownNanos >= one.allowed) {
                slow += one.skipped;
            } else if (thereNanos < one.allowed) {
                machine += one.skipped;
            }
        }
        long maxWhileAway = (long) Math.ceil(1e6 * witness.awayMillis() / shortestNanos);
        machine = Math.min(machine, maxWhileAway);
        return new Reasons(slow, machine, total - slow - machine);
    }
}
