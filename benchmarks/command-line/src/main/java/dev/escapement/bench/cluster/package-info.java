/** One world on several nodes, whose leader is killed and restarted: a demonstration with metrics. */
@NullMarked
package dev.escapement.bench.cluster;

import org.jspecify.annotations.NullMarked;
