/**
 * One simulation on several nodes: {@link dev.escapement.cluster.aeron.ClusteredPhysics} runs the same ticks on each, from inputs that Aeron
 * Cluster has put into one order and stored on most of them.
 */
@NullMarked
package dev.escapement.cluster.aeron;

import org.jspecify.annotations.NullMarked;
