package dev.escapement.bench.worlds;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What worlds that tick side by side get, and what they take. Threads that tick report to it, without allocating; the main thread reads. */
final class WorldsMeter {

    static final TickRate RATE = TickRate.hertz(100);
    static final long PERIOD_NANOS = RATE.nanosAt(1);

    /** Enough that threads seldom write to the same lines of a cache at once. */
    private static final int STRIPES = 16;

    private static final long MAX_NANOS = 60_000_000_000L;

    private final com.sun.management.OperatingSystemMXBean process =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final AtomicHistogram[] lateness = IntStream.range(0, STRIPES)
            .mapToObj(stripe -> new AtomicHistogram(MAX_NANOS, 2))
            .toArray(AtomicHistogram[]::new);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final int worlds;

    /** The instants between which ticks count if they are due. Volatile: set by the main thread while others tick. */
    private volatile @Nullable Window window;

    record Window(long fromNanos, long toNanos) {

        /** A tick that begins more than a period after the end counts as skipped: a way that is far behind does not get more time. */
        boolean counts(long dueNanos, long startedNanos) {
            return dueNanos - fromNanos >= 0 && dueNanos - toNanos < 0 && startedNanos - toNanos < PERIOD_NANOS;
        }
    }

    /** For worlds with numbers from 0 on; those of larger numbers do not count. */
    WorldsMeter(int worlds) {
        this.worlds = worlds;
    }

    /** A tick of a world has begun. The thread that ticks it. */
    void ticked(int world, long dueNanos, long startedNanos) {
        Window measured = window;
        if (world < worlds && measured != null && measured.counts(dueNanos, startedNanos)) {
            lateness[world % STRIPES].recordValue(Math.max(0, Math.min(MAX_NANOS, startedNanos - dueNanos)));
        }
    }

    /** A world has ended by this. Any thread. */
    void failed(Throwable thrown) {
        failure.compareAndSet(null, thrown);
    }

    /** Lets the worlds tick for a quarter of a time, and then measures for that time. Throws if a world has failed. */
    Row measure(Way way, Load load, long nanos) {
        // Parks without spinning: the worlds may need this core.
        Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
        System.gc(); // else the first collection copies all worlds, which are new, while it is measured
        pacer.awaitUntil(System.nanoTime() + nanos / 4);
        long fromBytes = allocatedBytes();
        long fromCpuNanos = process.getProcessCpuTime();
        long fromNanos = System.nanoTime();
        window = new Window(fromNanos, fromNanos + nanos);
        pacer.awaitUntil(fromNanos + nanos);
        double cores = (double) (process.getProcessCpuTime() - fromCpuNanos) / (System.nanoTime() - fromNanos);
        long bytes = Math.max(0, allocatedBytes() - fromBytes);
        pacer.awaitUntil(fromNanos + nanos + PERIOD_NANOS);
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a world of " + way + " failed: " + thrown, thrown);
        }
        Histogram all = new Histogram(MAX_NANOS, 2);
        for (AtomicHistogram stripe : lateness) {
            all.add(stripe);
        }
        long ticks = all.getTotalCount();
        long due = worlds * RATE.tickAt(nanos);
        return new Row(
                way,
                worlds,
                load,
                Math.max(0, due - ticks),
                all.getValueAtPercentile(99) / 1e3,
                cores,
                bytesPerTick(bytes, ticks, due));
    }

    /** By the ticks that ran; where none ran, by those that were due. */
    static double bytesPerTick(long bytes, long ran, long due) {
        return (double) bytes / Math.max(1, ran == 0 ? due : ran);
    }

    /** By all threads but this one; a virtual thread's are those of its carrier. */
    private long allocatedBytes() {
        long self = Thread.currentThread().getId();
        long[] others = Arrays.stream(threads.getAllThreadIds())
                .filter(id -> id != self)
                .toArray();
        return Arrays.stream(threads.getThreadAllocatedBytes(others))
                .filter(bytes -> bytes > 0)
                .sum();
    }
}
