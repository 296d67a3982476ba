/**
 * Tries to break the library, and a world of your own: by handoffs at full speed, by faults drawn from seeds, and by a storm of everything
 * that a game, its players, its network and its machine do to a service. Each promise is checked by other means than the library's own.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.StressRun}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
