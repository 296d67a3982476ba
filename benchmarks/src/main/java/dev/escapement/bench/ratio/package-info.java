/**
 * Ratios of what JMH has measured, with error bars.
 *
 * <p>One thread. Start reading at {@link dev.escapement.bench.ratio.RatiosCommand}.
 */
@NullMarked
package dev.escapement.bench.ratio;

import org.jspecify.annotations.NullMarked;
