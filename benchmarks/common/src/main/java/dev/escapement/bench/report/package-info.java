/**
 * What people and programs get to see of any command: tables, JSON files, pages, a line of progress.
 *
 * <p>Main thread. Start reading at {@link dev.escapement.bench.report.HtmlPage} and {@link dev.escapement.bench.report.Table}.
 */
@NullMarked
package dev.escapement.bench.report;

import org.jspecify.annotations.NullMarked;
