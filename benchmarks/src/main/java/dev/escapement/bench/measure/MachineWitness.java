package dev.escapement.bench.measure;

import dev.escapement.state.machine.CoreWatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells when the machine was away, by what a {@link CoreWatch} has seen.
 *
 * <pre>{@code
 * MachineWitness witness = MachineWitness.start();
 * ... // what is measured
 * witness.close();
 * long awayNanos = witness.awayNanos(dueNanos, publishedNanos);
 * }</pre>
 *
 * <p>Started and closed by one thread; figures may be asked for after the end.
 */
public final class MachineWitness implements AutoCloseable {

    private final List<Watched> cores = new ArrayList<>();
    private @Nullable CoreWatch watch;

    /** From and to, in the order of time, none touching another; known after the end. */
    private long[] away = {};

    private final long shortestAwayNanos;

    private MachineWitness(long shortestAwayNanos) {
        this.shortestAwayNanos = shortestAwayNanos;
    }

    /** Starts to watch. */
    public static MachineWitness start() {
        MachineWitness witness = new MachineWitness(CoreWatch.REST_NANOS + CoreWatch.AWAY_NANOS);
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            witness.cores.add(new Watched());
        }
        witness.watch = CoreWatch.start(
                (core, nowNanos, lateNanos) -> witness.cores.get(core).woken(nowNanos, lateNanos));
        return witness;
    }

    /** A witness that has ended and sees everything, with what its threads have seen. */
    static MachineWitness thatSaw(List<long[]> seen) {
        MachineWitness witness = new MachineWitness(0);
        witness.away = union(seen);
        return witness;
    }

    /** Ends the threads; then figures may be asked for. Idempotent. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
            away = union(cores.stream().map(Watched::gaps).toList());
        }
    }

    /** How long at least one core was away between two instants of the clock, in nanoseconds. */
    public long awayNanos(long fromNanos, long toNanos) {
        return overlap(away, fromNanos, toNanos);
    }

    /** How much later than asked the threads were woken, all of them together. */
    public Distribution.Summary lateness() {
        Distribution all = new Distribution();
        cores.forEach(core -> all.histogram().add(core.lateness.histogram()));
        return all.summary();
    }

    /** How short an absence may be that the threads do not see: they look every so often, and are always woken a little late. */
    long shortestAwayNanos() {
        return shortestAwayNanos;
    }

    /** How long at least one core was away in all, in milliseconds. */
    public double awayMillis() {
        long nanos = 0;
        for (int i = 0; i < away.length; i += 2) {
            nanos += away[i + 1] - away[i];
        }
        return nanos / 1e6;
    }

    /** Puts together what several threads have seen, each as from and to in the order of time. */
    static long[] union(List<long[]> seen) {
        List<long[]> intervals = new ArrayList<>();
        for (long[] gaps : seen) {
            for (int i = 0; i < gaps.length; i += 2) {
                intervals.add(new long[] {gaps[i], gaps[i + 1]});
            }
        }
        intervals.sort(Comparator.comparingLong(interval -> interval[0]));
        long[] union = new long[2 * intervals.size()];
        int end = 0;
        for (long[] interval : intervals) {
            if (end > 0 && interval[0] <= union[end - 1]) {
                union[end - 1] = Math.max(union[end - 1], interval[1]);
            } else {
                union[end++] = interval[0];
                union[end++] = interval[1];
            }
        }
        return Arrays.copyOf(union, end);
    }

    /** How much of an interval is covered. */
    static long overlap(long[] union, long from, long to) {
        long nanos = 0;
        for (int i = 0; i < union.length; i += 2) {
            nanos += Math.max(0, Math.min(to, union[i + 1]) - Math.max(from, union[i]));
        }
        return nanos;
    }

    /** What the thread of a core has seen. That thread only, until it has ended. */
    private static final class Watched {

        private final Distribution lateness = new Distribution();
        private long[] gaps = new long[64];
        private int size;

        private void woken(long nowNanos, long lateNanos) {
            lateness.record(lateNanos);
            if (lateNanos <= CoreWatch.AWAY_NANOS) {
                return;
            }
            if (size == gaps.length) {
                gaps = Arrays.copyOf(gaps, 2 * size);
            }
            gaps[size++] = nowNanos - lateNanos;
            gaps[size++] = nowNanos;
        }

        private long[] gaps() {
            return Arrays.copyOf(gaps, size);
        }
    }
}
