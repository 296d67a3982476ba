package dev.escapement.cluster.aeron;

import java.util.concurrent.TimeUnit;

/**
 * Timeouts of the election of a leader. All nodes of a cluster need the same constant: a node with another {@link Failover} is refused.
 *
 * <p>The time from the leader's death to the next tick is the heartbeat timeout, up to 2.5 election timeouts, and Aeron's time to connect
 * the nodes again. A pause of the leader's process, or of the network, that is longer than the heartbeat timeout counts as its death:
 * another node leads, and no tick runs for as long as after a death. Nothing else is lost.
 *
 * <p>If a leader dies within a lead and 0.1 s after a save, no tick runs for up to that time longer. The input of the ticks of that time
 * ends before the save, so no entry of the log says how much of the time has passed when the leader dies.
 *
 * <p>Votes must come back within three quarters of the election timeout, or elections fail. Each constant names the longest round trip
 * between nodes that allows that.
 *
 * @see ClusterNode#failover
 */
public enum Failover {

    /**
     * Timeouts for machines that may pause for 0.1 s or more: heartbeat timeout 500 ms, heartbeats every 100 ms, election timeout 200 ms,
     * round trips between nodes of up to 150 ms.
     */
    DEFAULT(500, 100, 200),

    /**
     * Timeouts for machines in one rack, on their own network, whose processes do not pause: heartbeat timeout 110 ms, heartbeats every 25
     * ms, election timeout 25 ms, round trips between nodes of up to 18 ms.
     */
    ONE_RACK(110, 25, 25);

    /**
     * The silence of the leader after which the nodes elect another one. Sessions of clients time out later, so that they survive an
     * election.
     */
    final long heartbeatTimeoutNanos;

    /** The time between two heartbeats of a leader that sends nothing else. */
    final long heartbeatNanos;

    /** The longest wait for votes of nodes that do not answer; longer than the thread of a node may sleep. */
    final long electionTimeoutNanos;

    Failover(long heartbeatTimeoutMillis, long heartbeatMillis, long electionTimeoutMillis) {
        heartbeatTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatTimeoutMillis);
        heartbeatNanos = TimeUnit.MILLISECONDS.toNanos(heartbeatMillis);
        electionTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(electionTimeoutMillis);
    }

    /**
     * Returns for how long a node still counts as the leader after the due time of an entry that does not arrive. The other nodes wait
     * longer before they elect another leader, so that no two nodes count as leaders at once.
     */
    long leaseNanos() {
        return heartbeatTimeoutNanos - heartbeatNanos;
    }
}
