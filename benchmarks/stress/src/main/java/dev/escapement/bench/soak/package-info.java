/**
 * Stresses a world of the user's own: everything that a game, its players, its network and its machine do to a service, at once, while
 * each promise is checked by other means than the library's own.
 *
 * <p>Start reading at {@link dev.escapement.bench.soak.StressRun}.
 */
@NullMarked
package dev.escapement.bench.soak;

import org.jspecify.annotations.NullMarked;
