package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Median;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Trial;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches whether memory grows while a trial runs: what the last collection left on the heap, and what the process has resident, which
 * contains native libraries. Allocates a little itself, ten times a second at most.
 *
 * <p>Created and closed by the thread that runs the trial.
 */
final class MemoryWatch implements AutoCloseable {

    private static final long SHORTEST_NANOS = 100_000_000;
    private static final int MOST_LOOKS = 2_000;
    private static final double MEGABYTE = 1 << 20;

    /** Of Linux: the second number is what is resident, in pages. */
    private static final Path STATM = Path.of("/proc/self/statm");

    private static final double PAGE_BYTES = 4096;

    private final Trial trial;
    private final Series heap;
    private final Series resident;
    private final long startNanos = System.nanoTime();
    private final Worker worker;

    /** How often it has looked. Written by the worker after each look; a thread that sees the number knows that the look was complete. */
    final AtomicLong looks = new AtomicLong();

    /** Watches until it is closed. */
    MemoryWatch(Trial trial) {
        this.trial = trial;
        heap = trial.timeLine("heap after collection, MB");
        resident = trial.timeLine("resident memory, MB");
        long pauseNanos = Math.max(SHORTEST_NANOS, trial.lengthNanos() / MOST_LOOKS);
        worker = Worker.start("stress-memory", self -> {
            while (self.goesOn()) {
                look();
                looks.incrementAndGet();
                Polling.await(pauseNanos, () -> !self.goesOn());
            }
        });
    }

    private void look() {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        heap.add(seconds, heapAfterCollection());
        if (Files.isReadable(STATM)) {
            resident.add(seconds, residentMegabytes());
        }
    }

    private static double heapAfterCollection() {
        long bytes = ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        return bytes / MEGABYTE;
    }

    private static double residentMegabytes() {
        try {
            return Long.parseLong(Files.readString(STATM).split(" ", -1)[1]) * PAGE_BYTES / MEGABYTE;
        } catch (IOException e) {
            return Double.NaN; // for this look
        }
    }

    /** Ends, and reports by how much the last quarter is above the second. */
    @Override
    public void close() {
        worker.close();
        report("heap growth", heap);
        report("resident growth", resident);
    }

    private void report(String name, Series series) {
        double[] quarters = secondAndLastQuarter(series);
        if (Double.isFinite(quarters[1] - quarters[0])) {
            trial.figure(Figure.info(name, quarters[1] - quarters[0], "MB"));
        }
    }

    /** The medians of the second and the last quarter of a curve, NaN without points: the first quarter is the JIT compiler's. */
    static double[] secondAndLastQuarter(Series series) {
        double[] x = series.x();
        double length = x.length == 0 ? Double.NaN : x[x.length - 1];
        return new double[] {
            Median.of(series.between(length / 4, length / 2).y()),
            Median.of(series.between(length * 3 / 4, length).y())
        };
    }
}
