/**
 * What scenarios are made of: worlds whose every pose is known beforehand, readers that check all they see, services that are watched,
 * and what plants faults.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.world.WatchedService}.
 */
@NullMarked
package dev.escapement.bench.stress.world;

import org.jspecify.annotations.NullMarked;
