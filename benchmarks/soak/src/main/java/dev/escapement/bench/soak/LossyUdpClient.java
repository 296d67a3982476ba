package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Failing;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.WindowCheck;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import dev.escapement.state.wire.udp.UdpLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves a service over UDP on this machine, and a client that gets it through a relay, which loses, doubles and reorders packets both
 * ways. A reader at 60 frames a second or less checks the client's windows. Any thread.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The windows that the client has are checked, all of them that a reader at 60 frames sees.
 *       ({@code shouldCheckWindowsThroughALossyRelay})
 *   <li>When {@link #close()} returns, no thread, no socket and no reader of it is left. ({@code shouldLeaveNothing})
 * </ol>
 */
final class LossyUdpClient implements Failing {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final NanoClock CLOCK = NanoClock.system();
    private static final String WORLD = "soak";
    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, 0.003f);
    private static final int MAX_BODIES = 1 << 20;
    private static final int PACKET_BYTES = 1 << 16;
    private static final int SOCKET_BYTES = 1 << 20;
    private static final double MAX_LOSS = 0.2;
    private static final double DOUBLED = 0.02;
    private static final double REORDERED = 0.02;
    private static final long FRAME_NANOS = 1_000_000_000L / 60;

    /** The usual ones, for worlds of any size. */
    private static final ReceiverSettings SETTINGS = new ReceiverSettings(
            ReceiverSettings.DEFAULT.maxReaders(), MAX_BODIES, ReceiverSettings.DEFAULT.quantile());

    private final WindowCheck windows;
    private final SplittableRandom ofRelay;
    private final SnapshotReceiver receiver = new SnapshotReceiver(SETTINGS, CLOCK);
    private final FirstFailure failure = new FirstFailure();
    private final DatagramChannel relay;
    private @Nullable SocketAddress clientAddress;

    private final UdpLoop<ServerEndpoint> server;
    private final UdpLoop<ClientEndpoint> client;
    private final Worker threads;

    // Volatile, because any thread reads it; nothing else is ordered by it.
    private volatile long newestTick;
    private volatile boolean closing;

    private LossyUdpClient(
            DatagramChannel relay, UdpLoop<ServerEndpoint> server, WindowCheck windows, SplittableRandom random)
            throws IOException {
        this.relay = relay;
        this.server = server;
        this.windows = windows;
        ofRelay = random;
        client = UdpLoop.client(
                (InetSocketAddress) relay.getLocalAddress(), WORLD, Access.thisMachine(), receiver, CLOCK);
        threads = Worker.start(2, "soak-udp", (worker, index) -> {
            if (index == 0) {
                relay();
            } else {
                read(worker);
            }
        });
    }

    /**
     * Starts the server, the relay and the client.
     *
     * @param windows   checks the client's windows; from now on its reader's. It has no tick to be fresh against but its own newest
     * @throws UncheckedIOException if there is no socket
     */
    static LossyUdpClient start(PhysicsService physics, WindowCheck windows, SplittableRandom random) {
        SnapshotSender sender = new SnapshotSender(physics.newReader(), FORMAT, random.nextInt());
        UdpLoop<ServerEndpoint> server =
                UdpLoop.server(ANY_PORT, WORLD, Access.thisMachine(), sender, physics.input(), Limits.DEFAULT, CLOCK);
        try {
            DatagramChannel relay = DatagramChannel.open();
            try {
                relay.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
                relay.bind(ANY_PORT);
                return new LossyUdpClient(relay, server, windows, random);
            } catch (IOException | RuntimeException e) {
                relay.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e instanceof RuntimeException unchecked
                    ? unchecked
                    : new UncheckedIOException("there is no UDP socket: " + e.getMessage(), (IOException) e);
        }
    }

    private void relay() {
        double lossToServer = ofRelay.nextDouble(MAX_LOSS);
        double lossToClient = ofRelay.nextDouble(MAX_LOSS);
        ByteBuffer packet = ByteBuffer.allocateDirect(PACKET_BYTES);
        ByteBuffer late = ByteBuffer.allocateDirect(PACKET_BYTES).limit(0);
        SocketAddress lateTo = server.address();
        try {
            while (true) {
                SocketAddress from = relay.receive(packet.clear());
                boolean isOfServer = server.address().equals(from);
                clientAddress = isOfServer ? clientAddress : from;
                SocketAddress to = isOfServer ? clientAddress : server.address();
                packet.flip();
                if (to == null || ofRelay.nextDouble() < (isOfServer ? lossToClient : lossToServer)) {
                    continue;
                }
                if (!late.hasRemaining() && ofRelay.nextDouble() < REORDERED) {
                    late.clear().put(packet).flip();
                    lateTo = to;
                    continue;
                }
                forward(packet, to);
                if (ofRelay.nextDouble() < DOUBLED) {
                    forward(packet.rewind(), to);
                }
                if (late.hasRemaining()) {
                    forward(late, lateTo);
                    late.limit(0);
                }
            }
        } catch (IOException | RuntimeException e) {
            if (!closing) {
                failure.add(e);
            }
        }
    }

    private void forward(ByteBuffer packet, SocketAddress to) throws IOException {
        try {
            relay.send(packet, to);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // no room or no route: one packet more is lost
        }
    }

    private void read(Worker worker) {
        SnapshotReader reader = null;
        try {
            while (worker.isRunning()) {
                Polling.pass(FRAME_NANOS);
                if (reader == null && receiver.isReady()) {
                    reader = receiver.newReader();
                }
                if (reader != null) {
                    windows.acquire(reader, windows.newestTick());
                    newestTick = windows.newestTick();
                }
            }
        } catch (RuntimeException | Error e) {
            failure.add(e);
        } finally {
            if (reader != null) {
                reader.close();
            }
        }
    }

    /** {@return the newest tick that the client has; 0 before the first} */
    long newestTick() {
        return newestTick;
    }

    @Override
    public boolean hasWorked() {
        return newestTick > 0;
    }

    /** {@return why the server, the client, the relay or the reader failed; empty if none did} */
    @Override
    public Optional<Throwable> failure() {
        return Stream.of(
                        server.failure(),
                        client.failure(),
                        failure.cause(),
                        receiver.problem().<Throwable>map(IllegalStateException::new))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void close() {
        closing = true;
        try (threads;
                relay;
                server;
                client) {
            // only their ends, in the order of the network: what a client says at its end arrives
        } catch (IOException | IllegalStateException e) {
            failure.add(e);
        }
    }
}
