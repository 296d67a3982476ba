/** Child processes: programs of this project in a JVM of their own, and load for all cores. */
@NullMarked
package dev.escapement.bench.process;

import org.jspecify.annotations.NullMarked;
