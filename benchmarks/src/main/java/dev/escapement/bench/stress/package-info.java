/**
 * Tries to break the handoff on real threads, and shows what a stalled reader does to a writer.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.HandoffStress}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
