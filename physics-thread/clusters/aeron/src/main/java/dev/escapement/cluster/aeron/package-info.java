/**
 * One simulation on several nodes: {@link dev.escapement.cluster.aeron.ClusteredPhysics} runs the same ticks on each, from inputs that
 * Aeron Cluster has put into one order and stored on a majority of them. Start reading there; the module's README names what follows.
 */
@NullMarked
package dev.escapement.cluster.aeron;

import org.jspecify.annotations.NullMarked;
