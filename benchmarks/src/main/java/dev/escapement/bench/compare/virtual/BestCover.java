package dev.escapement.bench.compare.virtual;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.measure.Measured;
import java.util.function.UnaryOperator;

/** Finds the fixed delay that suits two snapshots best, by trying. */
final class BestCover {

    private static final long STEP_NANOS = 500_000;
    private static final long MOST_NANOS = 10_000_000;

    private BestCover() {}

    /** That with the least mean error. */
    static long nanos(VirtualContest contest) {
        long best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (long nanos = 0; nanos <= MOST_NANOS; nanos += STEP_NANOS) {
            Measured tried = contest.threads(Contestant.TWO_BY_DUE, nanos, Freeze.none(), UnaryOperator.identity());
            double mean = tried.result().errorMicros().mean();
            if (mean < least) {
                least = mean;
                best = nanos;
            }
        }
        return best;
    }
}
