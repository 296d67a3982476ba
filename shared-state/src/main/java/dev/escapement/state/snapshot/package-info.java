/**
 * The state of the world at one tick, as poses in blocks.
 *
 * <p>Written in place by the physics thread, read in place by readers; {@code dev.escapement.state.exchange} decides which thread may use a
 * snapshot. Start reading at {@link dev.escapement.state.snapshot.Snapshot}.
 */
@NullMarked
package dev.escapement.state.snapshot;

import org.jspecify.annotations.NullMarked;
