/**
 * The output of all commands: tables, JSON files, a progress line.
 *
 * <p>Main thread. Start reading at {@link dev.escapement.bench.report.Table} and {@link dev.escapement.bench.report.JsonFile}.
 */
@NullMarked
package dev.escapement.bench.report;

import org.jspecify.annotations.NullMarked;
