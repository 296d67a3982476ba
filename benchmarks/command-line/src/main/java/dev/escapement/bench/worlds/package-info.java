/** Many worlds in one process: on the threads of a host, and in the ways that programs have without one. Start reading at {@code WorldsCommand}. */
@NullMarked
package dev.escapement.bench.worlds;

import org.jspecify.annotations.NullMarked;
