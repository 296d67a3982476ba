package example.server;

import dev.escapement.physics.PhysicsService;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Takes what clients send, on a thread of its own. Each address that sends anything is a client. Ends when the channel is closed. */
final class InputReceiver {

    private static final int MOST_CLIENTS = 64;

    private final DatagramChannel channel;
    private final PhysicsService physics;
    private final Set<SocketAddress> clients;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(Packets.MOST_BYTES);
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Thread thread = new Thread(this::receiveAll, "input-receiver");

    InputReceiver(DatagramChannel channel, PhysicsService physics, Set<SocketAddress> clients) {
        this.channel = channel;
        this.physics = physics;
        this.clients = clients;
        thread.start();
    }

    private void receiveAll() {
        try {
            while (true) {
                SocketAddress client = channel.receive(packet.clear());
                if (clients.size() < MOST_CLIENTS) {
                    clients.add(client);
                }
                if (!Packets.isHello(packet.flip())) {
                    boolean offered = Packets.offerInput(packet, physics);
                    (offered ? accepted : refused).incrementAndGet();
                }
            }
        } catch (ClosedChannelException end) {
            // the server closes
        } catch (IOException e) {
            System.err.println("no input any more: " + e);
        }
    }

    /** Any thread. */
    long accepted() {
        return accepted.get();
    }

    /** Any thread. */
    long refused() {
        return refused.get();
    }
}
