/** Other processes: programs of this project in a separate JVM, and load for all cores. */
@NullMarked
package dev.escapement.bench.process;

import org.jspecify.annotations.NullMarked;
