/**
 * Snapshots as packets, for readers in other processes.
 *
 * <p>A {@link dev.escapement.state.wire.SnapshotEncoder} rounds each snapshot once, for all who receive it. A
 * {@link dev.escapement.state.wire.AcknowledgedWriter} writes the packets for one receiver that acknowledges them. A
 * {@link dev.escapement.state.wire.PacketReader} computes packets that were lost, and gives them to a
 * {@link dev.escapement.state.wire.SnapshotDecoder}, which tells which ticks are whole. Nothing here knows a
 * network.
 */
@NullMarked
package dev.escapement.state.wire;

import org.jspecify.annotations.NullMarked;
