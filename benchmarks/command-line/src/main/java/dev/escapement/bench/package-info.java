/**
 * The command line. Start reading at {@link dev.escapement.bench.Escapement}.
 */
@NullMarked
package dev.escapement.bench;

import org.jspecify.annotations.NullMarked;
