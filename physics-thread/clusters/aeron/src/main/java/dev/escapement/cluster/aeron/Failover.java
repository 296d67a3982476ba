package dev.escapement.cluster.aeron;

import java.util.concurrent.TimeUnit;

/**
 * After how much silence of the leader the other nodes elect another one, and how long they wait for each other then. All nodes of a cluster
 * need the same: one with another {@link Failover} is refused.
 *
 * <p>From the leader's death to the next tick it takes the heartbeat timeout, up to two and a half times the election timeout, and what Aeron
 * needs to connect the nodes again. A shorter heartbeat timeout takes a pause of the leader's process, or of the network, for its death: then
 * another one leads, and time stands still for as long as after a death. Nothing else is lost.
 *
 * <pre>{@code
 * ClusterNode node = ClusterNode.of(0, hosts, folder, run).withFailover(Failover.ONE_RACK);
 * }</pre>
 *
 * @param heartbeatTimeoutNanos after how long without the leader another one is elected, in nanoseconds, 1 s at most
 * @param heartbeatNanos        how often a leader is heard that has nothing else to say, in nanoseconds; a third of the timeout at most
 * @param electionTimeoutNanos  how long nodes wait for votes of those that do not answer, in nanoseconds; at least 10 ms, at most the heartbeat
 *                              timeout
 */
public record Failover(long heartbeatTimeoutNanos, long heartbeatNanos, long electionTimeoutNanos) {

    /** As clients know the same session for 2 s. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Twice what the thread of a node may sleep. */
    private static final long LEAST_ELECTION_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int LEAST_HEARTBEATS = 3;

    /** For machines that may pause for some tenths of a second: 500, 100 and 200 ms. */
    public static final Failover DEFAULT = ofMillis(500, 100, 200);

    /** For machines in one rack, on a network of their own, whose processes do not pause: 150, 25 and 50 ms. */
    public static final Failover ONE_RACK = ofMillis(150, 25, 50);

    /**
     * Checks the times.
     *
     * @param heartbeatTimeoutNanos after how long without the leader another one is elected
     * @param heartbeatNanos        how often a leader is heard that has nothing else to say
     * @param electionTimeoutNanos  how long nodes wait for votes
     * @throws IllegalArgumentException if one is out of its range
     */
    public Failover {
        if (heartbeatTimeoutNanos < 1 || heartbeatTimeoutNanos > MOST_NANOS) {
            throw new IllegalArgumentException("the heartbeat timeout must be within 1 ns and 1 s, but is "
                    + heartbeatTimeoutNanos + " ns; the default is 500 ms");
        }
        if (heartbeatNanos < 1 || heartbeatNanos > heartbeatTimeoutNanos / LEAST_HEARTBEATS) {
            throw new IllegalArgumentException(
                    "the time between two heartbeats must be within 1 ns and a third of their"
                            + " timeout, so that one may be lost, but is " + heartbeatNanos + " ns with a timeout of "
                            + heartbeatTimeoutNanos + " ns");
        }
        if (electionTimeoutNanos < LEAST_ELECTION_NANOS || electionTimeoutNanos > heartbeatTimeoutNanos) {
            throw new IllegalArgumentException("the election timeout must be within 10 ms and the heartbeat timeout of "
                    + heartbeatTimeoutNanos + " ns, but is " + electionTimeoutNanos + " ns");
        }
    }

    private static Failover ofMillis(long heartbeatTimeout, long heartbeat, long electionTimeout) {
        return new Failover(
                TimeUnit.MILLISECONDS.toNanos(heartbeatTimeout),
                TimeUnit.MILLISECONDS.toNanos(heartbeat),
                TimeUnit.MILLISECONDS.toNanos(electionTimeout));
    }

    /** For how long a leader is one if no entry comes that is due: for less than others wait until they elect another one. */
    long leaseNanos() {
        return heartbeatTimeoutNanos - heartbeatNanos;
    }
}
