package dev.escapement.cluster.aeron;

import java.util.concurrent.TimeUnit;

/**
 * The timeouts of an election: after which silence of the leader the other nodes elect another one, and how long they wait for votes. All
 * nodes of a cluster need the same: a node with another {@link Failover} is refused.
 *
 * <p>From the leader's death to the next tick pass the heartbeat timeout, up to 2.5 election timeouts, and the time that Aeron needs to
 * connect the nodes again. A pause of the leader's process, or of the network, that is longer than the heartbeat timeout counts as its
 * death: another node leads, and no tick runs for as long as after a death. Nothing else is lost.
 *
 * <p>Votes come back within three quarters of the election timeout, or elections fail: so nodes may be as far apart as each constant
 * says, there and back.
 *
 * @see ClusterNode#failover
 */
public enum Failover {

    /**
     * For machines that may pause for 0.1 s or more: heartbeat timeout 500 ms, heartbeats every 100 ms, election timeout 200 ms, nodes up
     * to 150 ms apart, there and back.
     */
    DEFAULT(500, 100, 200),

    /** For machines in one rack, on a network of their own, whose processes do not pause: 110, 25, 25 and 18 ms. */
    ONE_RACK(110, 25, 25);

    /** After this silence of the leader another one is elected. Sessions of clients last longer. */
    final long heartbeatTimeoutNanos;

    /** A leader that has nothing else to send sends a heartbeat this often. */
    final long heartbeatNanos;

    /** Nodes wait this long for the votes of nodes that do not answer: longer than the thread of a node may sleep. */
    final long electionTimeoutNanos;

    Failover(long heartbeatTimeoutMillis, long heartbeatMillis, long electionTimeoutMillis) {
        heartbeatTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatTimeoutMillis);
        heartbeatNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatMillis);
        electionTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(electionTimeoutMillis);
    }

    /** A leader counts as one for this long after an entry was due that has not come: less than others wait until they elect another. */
    long leaseNanos() {
        return heartbeatTimeoutNanos - heartbeatNanos;
    }
}
