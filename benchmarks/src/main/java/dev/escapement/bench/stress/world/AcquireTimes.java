package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Median;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.exchange.SnapshotReader;

/**
 * How long it takes to ask for a window while a trial runs: a median for each part of it. Mostly nothing has changed since the last time.
 * One thread, and who has seen it end.
 */
public final class AcquireTimes {

    private static final int PARTS = 128;
    private static final int AT_ONCE = 64; // to read the clock takes as long as to ask

    private final Trial trial;
    private final Series medians;
    private final long partNanos;
    private final long startNanos = System.nanoTime();
    private Distribution part = new Distribution();
    private long partEndNanos;

    /** Measures from now on. */
    public AcquireTimes(Trial trial) {
        this.trial = trial;
        medians = trial.timeLine("acquire, ns");
        partNanos = trial.lengthNanos() / PARTS;
        partEndNanos = startNanos + partNanos;
    }

    /** Asks some times. */
    public void ask(SnapshotReader reader) {
        long beforeNanos = System.nanoTime();
        for (int i = 0; i < AT_ONCE; i++) {
            reader.acquire();
        }
        long nowNanos = System.nanoTime();
        part.record((nowNanos - beforeNanos) / AT_ONCE);
        if (nowNanos - partEndNanos >= 0) {
            medians.add((nowNanos - startNanos) / 1e9, part.summary().p50() * 1e3);
            part = new Distribution();
            partEndNanos = nowNanos + partNanos;
        }
    }

    /** Reports the medians of the second and the last quarter: the first quarter is the JIT compiler's. */
    public void report() {
        double[] x = medians.x();
        if (x.length > 0) {
            double length = x[x.length - 1];
            report(
                    "acquire, early",
                    Median.of(medians.between(length / 4, length / 2).y()));
            report(
                    "acquire, late",
                    Median.of(medians.between(length * 3 / 4, length).y()));
        }
    }

    private void report(String name, double nanos) {
        if (Double.isFinite(nanos)) {
            trial.figure(Figure.info(name, nanos, "ns"));
        }
    }
}
