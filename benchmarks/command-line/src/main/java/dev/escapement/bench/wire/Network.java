package dev.escapement.bench.wire;

/**
 * The network of both directions.
 *
 * @param leastMillis  the smallest latency of a packet
 * @param jitterMillis the largest additional latency, uniformly distributed
 * @param lost         the share that is lost, one to five in a row
 */
record Network(int leastMillis, int jitterMillis, double lost) {

    /** 40 +- 20 ms, and 5 % lost. */
    static final Network INTERNET = new Network(20, 40, 0.05);

    double delayMillis(double quantile) {
        return leastMillis + quantile * jitterMillis;
    }
}
