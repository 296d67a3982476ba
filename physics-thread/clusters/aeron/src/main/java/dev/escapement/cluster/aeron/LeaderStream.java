package dev.escapement.cluster.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronSender;
import java.security.SecureRandom;

/**
 * Sends the snapshots of a node over Aeron while that node leads. A viewer receives from the channels of all nodes: it gets packets from
 * the one that leads, and switches by itself.
 *
 * <pre>{@code
 * LeaderStream.start(physics, driver, "aeron:udp?control=physics-a:20121", format);   // on each node
 *
 * AeronReceiver.startOfReplicas(driver, channels, receiver, clock);                   // at a viewer
 * }</pre>
 *
 * <p>While there is no leader, nothing is sent: the picture of the viewer holds, and then continues without a jump.
 *
 * @see dev.escapement.transport.aeron.AeronReceiver#startOfReplicas
 */
public final class LeaderStream {

    private LeaderStream() {}

    /**
     * Sends from now on, whenever the node leads. Any thread.
     *
     * @param physics the node; when it is closed, nothing is sent any more
     * @param driver  a driver that stays open until the stream is closed, {@link AeronDriver#embedded()} for example
     * @param channel the Aeron channel to send to
     * @param format  how exact poses are, the same on all nodes
     * @return the sender, to be closed
     * @throws IllegalArgumentException if the channel is invalid, or cannot be used here
     */
    public static AeronSender start(ClusteredPhysics physics, AeronDriver driver, String channel, WireFormat format) {
        SecureRandom streamIds = new SecureRandom();
        return AeronSender.startOfReplica(
                driver,
                channel,
                () -> new SnapshotSender(physics.newReader(), format, streamIds.nextInt()).ofReplica(),
                physics::isLeader,
                NanoClock.system());
    }
}
