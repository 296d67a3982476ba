/** One world on several nodes, killed and started again: a demonstration, and what it measures. */
@NullMarked
package dev.escapement.bench.cluster;

import org.jspecify.annotations.NullMarked;
