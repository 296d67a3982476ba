/**
 * Tries to break the library, and a world of the user's own. It has handoffs at full speed, faults drawn from seeds, and a storm of
 * everything that a game, its players, its network and its machine do to a service. A check looks at each promise by other means than the
 * library's own.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.StressRun}.
 */
@NullMarked
package dev.escapement.bench.stress;

import org.jspecify.annotations.NullMarked;
