package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.JvmPauses;
import dev.escapement.bench.stress.child.Collector;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.Garbage;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import java.util.Locale;
import java.util.Set;

/** Other threads allocate all the time, so that the collector works all the time. */
final class GarbagePressure implements Scenario {

    private static final int BODIES = 1000;
    private static final long FPS = 144;
    private static final double GOOD_PERCENT = 1;
    private static final double FAIR_PERCENT = 5;
    private static final double GOOD_MILLIS = 1;
    private static final double FAIR_MILLIS = 10;
    private static final String ADVICE =
            "give the JVM more memory (-Xmx), or take a collector that pauses less (-XX:+UseZGC)";

    private final Collector collector;

    private GarbagePressure(Collector collector) {
        this.collector = collector;
    }

    /** Under that collector, in a JVM that has it. */
    static Scenario under(Collector collector) {
        return new InChild(new GarbagePressure(collector), collector);
    }

    @Override
    public String name() {
        return "garbage-" + collector.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String says() {
        return "two threads allocate a gigabyte a second in 512 MB, under " + collector + ", in a JVM of its own";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED);
    }

    @Override
    public boolean delaysTicks() {
        return true; // by pauses, which are figures of their own
    }

    @Override
    public void run(Trial trial) {
        try (JvmPauses pauses = JvmPauses.start()) {
            long startNanos = System.nanoTime();
            litter(trial);
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            report(trial, pauses.soFar(), seconds);
        }
    }

    private static void report(Trial trial, JvmPauses.Totals pauses, double seconds) {
        trial.figure(Figure.info("collector pauses per second", pauses.pauses() / seconds, ""));
        double percent = pauses.pauseNanos() / 1e7 / seconds;
        trial.figure(Figure.graded("time in pauses", percent, "%", GOOD_PERCENT, FAIR_PERCENT, ADVICE));
        double longestMillis = pauses.longestPauseNanos() / 1e6;
        trial.figure(Figure.graded("longest collector pause", longestMillis, "ms", GOOD_MILLIS, FAIR_MILLIS, ADVICE));
    }

    private static void litter(Trial trial) {
        PredictableWorld world = new PredictableWorld(BODIES);
        Garbage first = Garbage.start();
        Garbage second = Garbage.start();
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder);
                first;
                second) {
            service.readBy(world, FPS);
            service.readBy(world, FPS / 2);
            service.awaitEnd();
        }
        trial.figure(Figure.info("garbage", (first.bytesPerSecond() + second.bytesPerSecond()) / 1e6, "MB/s"));
    }
}
