package dev.escapement.cluster.aeron;

/**
 * Is notified when leadership, quorum or lag of a node change. A node starts without leadership, without a quorum, and not behind; when it
 * ends, it loses leadership and quorum.
 *
 * <p>A node's client thread makes all calls, some milliseconds after the change. It sends no input during a call, so a call must not wait.
 * An exception is logged, and has no other effect.
 *
 * @see ClusterOptions#withListener
 */
public interface ClusterListener {

    /**
     * This node begins to lead, or stops leading: {@link ClusteredPhysics#isLeader} has changed.
     *
     * @param leads whether this node leads now
     */
    default void leadershipChanged(boolean leads) {}

    /**
     * This node has joined or lost a majority: {@link ClusteredPhysics#hasQuorum} has changed. Without a quorum no tick runs.
     *
     * @param hasQuorum whether it belongs to a majority
     */
    default void quorumChanged(boolean hasQuorum) {}

    /**
     * This node has fallen behind by more than 1 s, or has caught up to 0.5 s.
     *
     * @param isBehind whether it is behind
     * @param lagNanos the current {@link ClusteredPhysics#lagNanos}, in nanoseconds
     */
    default void lagChanged(boolean isBehind, long lagNanos) {}
}
