/**
 * What is kept of scenarios: the page, the JSON file and the histogram log.
 *
 * <p>One thread. Start reading at {@link dev.escapement.bench.stress.report.StressFolder}.
 */
@NullMarked
package dev.escapement.bench.stress.report;

import org.jspecify.annotations.NullMarked;
