/**
 * What people and machines get to see of a run: the table, the JSON file, the page with plots.
 *
 * <p>Everything here is called on the main thread, after the run. Start reading at {@link dev.escapement.bench.report.RunReport}.
 */
@NullMarked
package dev.escapement.bench.report;

import org.jspecify.annotations.NullMarked;
