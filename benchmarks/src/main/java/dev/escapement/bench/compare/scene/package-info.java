/**
 * The world that everybody simulates: a probe whose place tells the time, a ball that bounces, and steps that take time.
 *
 * <p>Used by the thread that steps. Start reading at {@link dev.escapement.bench.compare.scene.TickedScene}.
 */
@NullMarked
package dev.escapement.bench.compare.scene;

import org.jspecify.annotations.NullMarked;
