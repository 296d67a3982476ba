/**
 * Snapshots as packets, for readers in other processes.
 *
 * <p>A {@link dev.escapement.state.wire.SnapshotEncoder} rounds each snapshot once, for all receivers. A
 * {@link dev.escapement.state.wire.AcknowledgedWriter} writes the packets for one receiver that acknowledges them. A
 * {@link dev.escapement.state.wire.PacketReader} computes lost packets, and passes all to a
 * {@link dev.escapement.state.wire.SnapshotDecoder}, which reports which ticks are whole. Nothing here uses a network.
 */
@NullMarked
package dev.escapement.state.wire;

import org.jspecify.annotations.NullMarked;
