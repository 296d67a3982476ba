/** {@code escapement cluster}: one world on several nodes, whose leader is killed and restarted, with measurements. */
@NullMarked
package dev.escapement.bench.cluster;

import org.jspecify.annotations.NullMarked;
