package dev.escapement.cluster.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronSender;
import java.security.SecureRandom;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * Sends the world of a node over Aeron while that node leads. A viewer receives from the channels of all nodes: it hears the one that leads,
 * and goes over by itself.
 *
 * <pre>{@code
 * LeaderStream.start(physics, driver, "aeron:udp?control=physics-a:20121", format);   // on each node
 *
 * AeronReceiver.startOfReplicas(driver, channels, receiver, clock);                   // at a viewer
 * }</pre>
 *
 * <p>While there is no leader, nothing is sent: what the viewer shows holds, and goes on without a jump.
 *
 * <p>Any thread may call any method.
 *
 * @see dev.escapement.transport.aeron.AeronReceiver#startOfReplicas
 */
public final class LeaderStream implements AutoCloseable {

    private final ClusteredPhysics physics;
    private final AeronDriver driver;
    private final String channel;
    private final WireFormat format;
    private @Nullable AeronSender sender;
    private boolean closed;

    private LeaderStream(ClusteredPhysics physics, AeronDriver driver, String channel, WireFormat format) {
        this.physics = physics;
        this.driver = driver;
        this.channel = channel;
        this.format = format;
    }

    /**
     * Sends from now on, whenever the node leads.
     *
     * @param physics the node; when it is closed, nothing is sent any more
     * @param driver  a driver that stays open until then, {@link AeronDriver#embedded()} for example
     * @param channel where to
     * @param format  how exact poses are, the same on all nodes
     * @return what sends, to be closed
     * @throws IllegalArgumentException if it is no channel, or cannot be used here
     */
    public static LeaderStream start(ClusteredPhysics physics, AeronDriver driver, String channel, WireFormat format) {
        LeaderStream stream = new LeaderStream(physics, driver, channel, format);
        stream.newSender().close(); // refuses a bad channel
        physics.add(stream);
        return stream;
    }

    private AeronSender newSender() {
        SnapshotSender world =
                new SnapshotSender(physics.newReader(), format, new SecureRandom().nextInt()).ofReplica();
        try {
            return AeronSender.start(driver, channel, world, NanoClock.system());
        } catch (Throwable e) {
            world.close();
            throw e;
        }
    }

    /** Begins to send, or ends. */
    synchronized void look() {
        boolean leads = !closed && physics.isLeader();
        if (leads && sender == null) {
            sender = newSender();
        } else if (!leads) {
            CloseHelper.quietClose(sender);
            sender = null;
        }
    }

    /** Ends it. Idempotent. */
    @Override
    public void close() {
        physics.remove(this);
        end();
    }

    synchronized void end() {
        closed = true;
        look();
    }
}
