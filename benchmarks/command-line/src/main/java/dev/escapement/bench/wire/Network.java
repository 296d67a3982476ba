package dev.escapement.bench.wire;

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
