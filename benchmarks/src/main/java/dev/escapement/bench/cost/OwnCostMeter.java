package dev.escapement.bench.cost;

import dev.escapement.bench.measure.Median;
import java.lang.management.ManagementFactory;

/** Ticks Jolt and the playback in turns and keeps the times. One thread. */
final class OwnCostMeter {

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final double[] tickNanos;
    private final double[] ownNanos;
    private final double[] ratios;
    private long moved;
    private long ownBytes;

    OwnCostMeter(int ticks) {
        tickNanos = new double[ticks];
        ownNanos = new double[ticks];
        ratios = new double[ticks];
    }

    void run(PushedWorld jolt, PushedWorld own, PlayedBack playedBack, Runnable progress) {
        for (int tick = 0; tick < tickNanos.length; tick++) {
            jolt.prepare();
            own.prepare();
            long startNanos = System.nanoTime();
            jolt.tick();
            tickNanos[tick] = System.nanoTime() - startNanos;

            playedBack.load(jolt.poses());
            long bytesBefore = threads.getCurrentThreadAllocatedBytes();
            long ownStartNanos = System.nanoTime();
            own.tick();
            ownNanos[tick] = System.nanoTime() - ownStartNanos;
            ownBytes += threads.getCurrentThreadAllocatedBytes() - bytesBefore;

            ratios[tick] = ownNanos[tick] / tickNanos[tick];
            moved += playedBack.moved();
            progress.run();
        }
    }

    OwnCost result(int bodies) {
        double ticks = tickNanos.length;
        return new OwnCost(
                bodies,
                moved / ticks,
                Median.of(tickNanos) / 1e3,
                Median.of(ownNanos) / 1e3,
                Median.of(ratios),
                ownBytes / ticks);
    }
}
