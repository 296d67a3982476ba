package dev.escapement.cluster.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronSender;
import java.security.SecureRandom;

/**
 * Sends the snapshots of a node over Aeron while that node leads. A viewer receives the channels of all nodes. It gets packets from the
 * leader only, and switches to the next leader by itself.
 *
 * <pre>{@code
 * LeaderStream.start(physics, driver, "aeron:udp?control=physics-a:20121", format);   // on each node
 *
 * AeronReceiver.startOfReplicas(driver, channels, receiver, clock);                   // at a viewer
 * }</pre>
 *
 * <p>While there is no leader, no node sends. The viewer's picture stands still, and then continues without a jump.
 *
 * @see dev.escapement.transport.aeron.AeronReceiver#startOfReplicas
 */
public final class LeaderStream {

    private LeaderStream() {}

    /**
     * Starts a sender, which sends whenever the node leads. Any thread may call it.
     *
     * @param physics the node; its close ends the sending
     * @param driver  a driver that stays open until the stream is closed, {@link AeronDriver#embedded()} for example
     * @param channel the Aeron channel to send to
     * @param format  the precision of poses, the same on all nodes
     * @return the sender, which the caller closes
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
