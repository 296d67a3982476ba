/**
 * What people and programs get to see of any command: tables, JSON files, a line of progress.
 *
 * <p>Main thread. Start reading at {@link dev.escapement.bench.report.Table} and {@link dev.escapement.bench.report.JsonFile}.
 */
@NullMarked
package dev.escapement.bench.report;

import org.jspecify.annotations.NullMarked;
