package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Trial;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** How often the garbage collector stopped the JVM since this was made, by its own count, and for how long. */
public final class CollectorWork implements AutoCloseable {

    private static final double GOOD_PERCENT = 1;
    private static final double FAIR_PERCENT = 5;
    private static final double GOOD_MILLIS = 1;
    private static final double FAIR_MILLIS = 10;
    private static final String ADVICE =
            "give the JVM more memory (-Xmx), or take a collector that pauses less (-XX:+UseZGC)";

    private final List<GarbageCollectorMXBean> pausing = pausing();
    private final CollectorPauses pauses = CollectorPauses.of(pausing);
    private final long startNanos = System.nanoTime();
    private final long startCount = count();
    private final long startMillis = millis();

    /** Adds what it came to until now. */
    public void report(Trial trial) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long count = count() - startCount;
        trial.figure(Figure.info("collector pauses per second", count / seconds, ""));
        double percent = (millis() - startMillis) / seconds / 10;
        trial.figure(Figure.graded("time in pauses", percent, "%", GOOD_PERCENT, FAIR_PERCENT, ADVICE));
        trial.figure(Figure.graded(
                "longest collector pause", pauses.longestMillis(count), "ms", GOOD_MILLIS, FAIR_MILLIS, ADVICE));
    }

    @Override
    public void close() {
        pauses.close();
    }

    private long count() {
        return pausing.stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private long millis() {
        return pausing.stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** The beans of cycles count what runs beside the program, as ZGC's do. "G1 Concurrent GC" is about the pauses within its cycles. */
    private static List<GarbageCollectorMXBean> pausing() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !bean.getName().contains("Cycles"))
                .toList();
    }
}
