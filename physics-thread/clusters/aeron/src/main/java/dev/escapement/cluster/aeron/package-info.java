/**
 * Replicates one simulation on several nodes. {@link dev.escapement.cluster.aeron.ClusteredPhysics} runs the same ticks on each node, from
 * inputs that Aeron Cluster has ordered and stored on a majority of the nodes. The module's README has an order of reading.
 */
@NullMarked
package dev.escapement.cluster.aeron;

import org.jspecify.annotations.NullMarked;
