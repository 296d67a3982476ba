/**
 * What scenarios are made of: worlds with a model of every pose, readers that check all they take, services that are watched, ledgers of
 * input and commands, and threads.
 *
 * <p>Start reading at {@link dev.escapement.bench.stress.world.WatchedService}.
 */
@NullMarked
package dev.escapement.bench.stress.world;

import org.jspecify.annotations.NullMarked;
