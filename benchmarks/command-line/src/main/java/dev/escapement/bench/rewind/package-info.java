/** What going back costs, and whether a run that has gone back is as one that has not. Start reading at {@code RewindCommand}. */
@NullMarked
package dev.escapement.bench.rewind;

import org.jspecify.annotations.NullMarked;
