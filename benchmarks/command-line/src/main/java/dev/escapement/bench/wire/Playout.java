package dev.escapement.bench.wire;

import dev.escapement.bench.measure.Distribution.Summary;
import org.jspecify.annotations.Nullable;

/**
 * What viewers were shown of a world over a network, under the names of the JSON file's keys. What each is, the report's legend says; the mode
 * is how they get it, or who they are, and {@code wholeMillis} is null where none was stopped.
 */
record Playout(
        String mode,
        double quantile,
        double filledPercent,
        double flaggedPercent,
        Summary ageMicros,
        Summary errorMicros,
        @Nullable Double wholeMillis) {

    static final String CALM = "7 others, none stopped";
    static final String MEANWHILE = "7 others, one stopped";
    static final String STOPPED = "the stopped one, after";

    /**
     * What the packets of both directions meet.
     *
     * @param leastMillis  how long each takes at least
     * @param jitterMillis how much longer it may take, each time as likely as any other
     * @param lost         the share that is lost, one to five in a row
     */
    record Network(int leastMillis, int jitterMillis, double lost) {

        /** 40 +- 20 ms, and 5 % lost. */
        static final Network INTERNET = new Network(20, 40, 0.05);

        double delayMillis(double quantile) {
            return leastMillis + quantile * jitterMillis;
        }
    }
}
