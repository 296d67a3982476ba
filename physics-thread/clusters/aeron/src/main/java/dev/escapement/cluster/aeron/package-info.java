/**
 * One simulation on several nodes: {@link dev.escapement.cluster.aeron.ClusteredPhysics} runs the same ticks on each, from inputs that
 * Aeron Cluster has put into one order and stored on a majority of them. The module's README has an order of reading.
 */
@NullMarked
package dev.escapement.cluster.aeron;

import org.jspecify.annotations.NullMarked;
