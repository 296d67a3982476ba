/**
 * The state of the world at one tick, as poses in blocks.
 *
 * <p>Written in place by the physics thread, read in place by readers; who may touch one when is the business of
 * {@code dev.escapement.state.exchange}. Start reading at {@link dev.escapement.state.snapshot.Snapshot}.
 */
@NullMarked
package dev.escapement.state.snapshot;

import org.jspecify.annotations.NullMarked;
