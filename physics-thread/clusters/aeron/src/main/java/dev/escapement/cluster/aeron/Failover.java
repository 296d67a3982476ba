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
 */
public enum Failover {

    /** For machines that may pause for some tenths of a second: after 500 ms; a leader is heard every 100 ms, and votes are awaited for 200 ms. */
    DEFAULT(500, 100, 200),

    /** For machines in one rack, on a network of their own, whose processes do not pause: 150, 25 and 50 ms. */
    ONE_RACK(150, 25, 50);

    /** After how long without the leader another one is elected. Clients know the same session for longer. */
    final long heartbeatTimeoutNanos;

    /** How often a leader is heard that has nothing else to say. */
    final long heartbeatNanos;

    /** How long nodes wait for votes of those that do not answer: more than the thread of a node may sleep. */
    final long electionTimeoutNanos;

    Failover(long heartbeatTimeoutMillis, long heartbeatMillis, long electionTimeoutMillis) {
        heartbeatTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatTimeoutMillis);
        heartbeatNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatMillis);
        electionTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(electionTimeoutMillis);
    }

    /** For how long a leader is one if no entry comes that is due: for less than others wait until they elect another one. */
    long leaseNanos() {
        return heartbeatTimeoutNanos - heartbeatNanos;
    }
}
