/**
 * Snapshots as packets, for readers in other processes.
 *
 * <p>A {@link dev.escapement.state.wire.SnapshotSender} takes the ticks of a world, and encodes them in packets for each receiver. A {@link
 * dev.escapement.state.wire.SnapshotReceiver} publishes them in another process when they are due. Nothing here uses a network.
 */
@NullMarked
package dev.escapement.state.wire;

import org.jspecify.annotations.NullMarked;
