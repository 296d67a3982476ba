package dev.escapement.bench.measure;

import dev.escapement.platform.linux.CoreWatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reports when the machine was away, from a {@link CoreWatch}.
 *
 * <p>Started and closed by one thread; its metrics are known after the end.
 */
public final class MachineWitness implements AutoCloseable {

    /** The start and end of each absence that a thread of a core has seen. */
    private final Queue<long[]> gaps = new ConcurrentLinkedQueue<>();

    private @Nullable CoreWatch watch;

    /** The start and end of absences, in the order of time, without overlaps; known after the end. */
    private List<long[]> away = List.of();

    private MachineWitness() {}

    /** Starts to watch. */
    public static MachineWitness start() {
        MachineWitness witness = new MachineWitness();
        witness.watch = CoreWatch.start((core, nowNanos, lateNanos) -> {
            if (lateNanos > CoreWatch.AWAY_NANOS) {
                witness.gaps.add(new long[] {nowNanos - lateNanos, nowNanos});
            }
        });
        return witness;
    }

    /** A witness that has ended, with given absences, each with start and end. */
    static MachineWitness thatSaw(List<long[]> seen) {
        MachineWitness witness = new MachineWitness();
        witness.away = union(seen);
        return witness;
    }

    /** Ends the threads; then the metrics are known. Idempotent. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
            away = union(gaps);
        }
    }

    /** How long at least one core was away between two instants of the clock, in nanoseconds. */
    public long awayNanos(long fromNanos, long toNanos) {
        return away.stream()
                .mapToLong(one -> Math.max(0, Math.min(toNanos, one[1]) - Math.max(fromNanos, one[0])))
                .sum();
    }

    /** How long at least one core was away in all, in milliseconds. */
    public double awayMillis() {
        return away.stream().mapToLong(one -> one[1] - one[0]).sum() / 1e6;
    }

    /** The union of absences of several threads, each with start and end. */
    static List<long[]> union(Collection<long[]> seen) {
        List<long[]> union = new ArrayList<>();
        long[] last = {};
        for (long[] interval :
                seen.stream().sorted(Comparator.comparingLong(one -> one[0])).toList()) {
            if (union.isEmpty() || interval[0] > last[1]) {
                last = interval.clone();
                union.add(last);
            } else {
                last[1] = Math.max(last[1], interval[1]);
            }
        }
        return union;
    }
}
