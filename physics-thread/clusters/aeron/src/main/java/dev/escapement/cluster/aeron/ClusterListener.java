package dev.escapement.cluster.aeron;

/**
 * Is told how a node and its cluster are doing. What has not changed is not told again. Each node starts as one that does not lead, has no
 * quorum, and is not behind; when it ends, it does not lead, and has no quorum any more.
 *
 * <p>A node's client thread makes all calls, within some milliseconds of what they tell; it sends no input meanwhile, so they must not wait.
 * What they throw is logged, and changes nothing else.
 *
 * @see ClusterOptions#withListener
 */
public interface ClusterListener {

    /**
     * Another node leads, or this one does: {@link ClusteredPhysics#isLeader} has changed.
     *
     * @param leads whether this node leads now
     */
    default void leadershipChanged(boolean leads) {}

    /**
     * This node is within most nodes now, or is not any more: {@link ClusteredPhysics#hasQuorum} has changed. Without, time stands still.
     *
     * @param hasQuorum whether it is
     */
    default void quorumChanged(boolean hasQuorum) {}

    /**
     * This node has fallen behind by more than 1 s, or has caught up to half a second.
     *
     * @param isBehind whether it is behind
     * @param lagNanos as {@link ClusteredPhysics#lagNanos} says now, in nanoseconds
     */
    default void lagChanged(boolean isBehind, long lagNanos) {}
}
