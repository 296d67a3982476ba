package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.physics.replay.StateHistory;
import org.HdrHistogram.Histogram;

/**
 * What it costs to go back {@value #TICKS} ticks and run them again.
 *
 * @param nanos   of all of it
 * @param percent more than the same ticks take in a world without history, in hundredths
 */
record RollbackCost(Histogram nanos, Histogram percent) {

    private static final int TICKS = 13;
    private static final int BODIES = 100;
    private static final int PUSHES = 4;
    private static final int KEPT = 60;
    private static final long SEED = 3;

    /** In a pile of {@value #BODIES} boxes, whose state is saved every few ticks. */
    static RollbackCost of(int every, int warmUp, int times) {
        RollbackCost cost = new RollbackCost(new Histogram(3), new Histogram(3));
        StateHistory history = StateHistory.ofTicks(KEPT).every(every);
        try (SeededWorld plain = new SeededWorld(new JoltBodies(new BoxPile(BODIES).scene(false)), PUSHES, null);
                SeededWorld kept = new SeededWorld(new JoltBodies(new BoxPile(BODIES).scene(false)), PUSHES, history)) {
            for (long now = warmUp; now < warmUp + (long) times * TICKS; now += TICKS) {
                long first = now;
                plain.run(SEED, first);
                kept.run(SEED, first + TICKS);
                long own = Figures.nanos(() -> plain.run(SEED, first + TICKS));
                long again = Figures.nanos(() -> {
                    kept.rerun(first);
                    kept.run(SEED, first + TICKS);
                });
                cost.nanos.recordValue(again);
                cost.percent.recordValue(Math.max(0, 10_000 * (again - own) / own));
            }
        }
        return cost;
    }
}
