package dev.escapement.bench.measure;

import dev.escapement.state.thread.ThreadEnd;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells when the machine was away: a thread on each core wants to run every millisecond, does nothing, and notes when it could not. Other
 * programs, cores that a hypervisor has taken, collections and safepoints show up alike.
 *
 * <pre>{@code
 * MachineWitness witness = MachineWitness.start();
 * ... // what is measured
 * witness.close();
 * long awayNanos = witness.awayNanos(dueNanos, publishedNanos);
 * }</pre>
 *
 * <p>On Linux, with {@code taskset}, each thread stays on its core; elsewhere the system places them. Started and closed by one thread;
 * figures may be asked for after the end.
 */
public final class MachineWitness implements AutoCloseable {

    private static final long REST_NANOS = 1_000_000;

    /** Sleeping threads are woken this late on a healthy machine that is busy; what is later counts. */
    private static final long AWAY_NANOS = 1_000_000;

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String NAME = "witness-";

    private final List<Watcher> watchers = new ArrayList<>();

    /** From and to, in the order of time, none touching another; known after the end. */
    private long[] away = {};

    // Both are asked for every millisecond, so their cost does not matter.
    private volatile boolean watching;
    private volatile boolean ending;

    private final long shortestAwayNanos;

    private MachineWitness(long shortestAwayNanos) {
        this.shortestAwayNanos = shortestAwayNanos;
    }

    /** Starts to watch. */
    public static MachineWitness start() {
        MachineWitness witness = new MachineWitness(REST_NANOS + AWAY_NANOS);
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            witness.watchers.add(witness.new Watcher(core));
        }
        witness.watchers.forEach(Watcher::start);
        pin();
        witness.watching = true; // the programs that pin the threads take the cores as well
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
        ending = true;
        for (Watcher watcher : watchers) {
            if (!ThreadEnd.await(watcher, CLOSE_NANOS)) {
                throw new IllegalStateException("thread " + watcher.getName() + " does not end");
            }
        }
        away = union(watchers.stream().map(Watcher::gaps).toList());
    }

    /** How long at least one core was away between two instants of the clock, in nanoseconds. */
    public long awayNanos(long fromNanos, long toNanos) {
        return overlap(away, fromNanos, toNanos);
    }

    /** How much later than asked the threads were woken, all of them together. */
    public Distribution.Summary lateness() {
        Distribution all = new Distribution();
        watchers.forEach(watcher -> all.histogram().add(watcher.lateness.histogram()));
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

    /** Java cannot pin a thread: the system's own program can, by the numbers that the system gives to threads. */
    private static void pin() {
        Path tasks = Path.of("/proc/self/task");
        if (!Files.isDirectory(tasks)) {
            return;
        }
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String name = Files.readString(thread.resolve("comm")).strip();
                if (name.startsWith(NAME)) {
                    new ProcessBuilder("taskset", "-cp", name.substring(NAME.length()), "" + thread.getFileName())
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor();
                }
            }
        } catch (IOException notHere) {
            // no taskset: the system places them
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Watcher extends Thread {

        private final Distribution lateness = new Distribution();
        private long[] gaps = new long[64];
        private int size;

        private Watcher(int core) {
            super(NAME + core);
            setDaemon(true);
        }

        @Override
        public void run() {
            long lastNanos = System.nanoTime();
            while (!ending) {
                LockSupport.parkNanos(REST_NANOS);
                long nowNanos = System.nanoTime();
                if (watching) {
                    woken(nowNanos, nowNanos - lastNanos - REST_NANOS);
                }
                lastNanos = nowNanos;
            }
        }

        private void woken(long nowNanos, long lateNanos) {
            lateness.record(lateNanos);
            if (lateNanos <= AWAY_NANOS) {
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
