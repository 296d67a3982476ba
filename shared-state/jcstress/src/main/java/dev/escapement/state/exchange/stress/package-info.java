/**
 * Runs the jcstress tests and judges the run. Start reading at {@link dev.escapement.state.exchange.stress.Verify}.
 */
@NullMarked
package dev.escapement.state.exchange.stress;

import org.jspecify.annotations.NullMarked;
