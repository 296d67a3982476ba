/**
 * JMH benchmarks. Method names start with {@code escapement}, {@code floor} or the peer's name.
 */
@NullMarked
package dev.escapement.bench.jmh;

import org.jspecify.annotations.NullMarked;
