package dev.escapement.state.wire.udp;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.UnsupportedAddressTypeException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives one side of a connection, a server or a client, with a socket on a daemon thread.
 *
 * <pre>{@code
 * UdpLoop<ServerEndpoint> server = UdpLoop.server(
 *         new InetSocketAddress(20121), "marbles", Access.key(key), sender, physics.input(), Limits.DEFAULT, clock);
 *
 * UdpLoop<ClientEndpoint> client = UdpLoop.client(
 *         new InetSocketAddress("192.0.2.7", 20121), "marbles", Access.key(key), receiver, NanoClock.system());
 * client.endpoint().inputs().offer(System.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The endpoint performs its due work at least once per {@value #PACKETS_PER_TURN} packets received.
 *   <li>Errors of the network lose packets, and do not end the loop.
 *   <li>The first error of the endpoint or of the system ends the loop, and is kept ({@link #failure()}).
 * </ol>
 *
 * <p>Any thread may call any method.
 *
 * @param <E> the kind of endpoint
 */
public final class UdpLoop<E extends Endpoint> implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.state");
    private static final int PACKETS_PER_TURN = 256;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    /** The size of the socket's buffers: room for some hundred packets, which may come while other threads have the core. */
    private static final int SOCKET_BYTES = 1 << 20;

    private final E endpoint;
    private final InetSocketAddress address;
    private final DatagramChannel channel;
    private final Selector selector;
    private final NanoClock clock;
    private final Thread thread;
    private final FirstFailure failure = new FirstFailure();
    private final Load load = new Load();

    /** The buffer of a received packet, longer than any valid packet, so that too long ones are noticed. */
    private final ByteBuffer in = ByteBuffer.allocate(Protocol.MAX_BYTES + 1);

    // Volatile: close() writes it before it wakes the selector, and the loop's thread reads it after.
    private volatile boolean closing;

    private UdpLoop(
            DatagramChannel channel,
            NanoClock clock,
            String name,
            Function<BiConsumer<ByteBuffer, SocketAddress>, E> endpoint)
            throws IOException {
        this.channel = channel;
        this.clock = clock;
        address = (InetSocketAddress) channel.getLocalAddress();
        this.endpoint = endpoint.apply(this::send);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        selector = Selector.open();
        channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
    }

    /**
     * Starts a server.
     *
     * @param address the address for clients; port 0 takes a free port
     * @param world   the name of the world, which clients must know; at most 200 bytes of UTF-8
     * @param access  who may connect
     * @param sender  the source of the snapshots; belongs to the loop from now on
     * @param inputs  the ring for the clients' input; null if the world takes none
     * @param limits  the limits on clients and their input
     * @param clock   the clock of the snapshots and of the input
     * @return a loop, to be closed
     * @throws IllegalArgumentException if other machines can reach the address, and there is neither a key nor
     *                                  {@link Access#unauthenticated()}
     * @throws UncheckedIOException     if the host is not known, or the port is taken
     */
    public static UdpLoop<ServerEndpoint> server(
            InetSocketAddress address,
            String world,
            Access access,
            SnapshotSender sender,
            @Nullable InputRing inputs,
            Limits limits,
            NanoClock clock) {
        access.check(address);
        return start(
                "escapement-udp-server",
                address,
                clock,
                sink -> new ServerEndpoint(sender, inputs, world, access, limits, new SecureRandom(), sink));
    }

    /**
     * Starts a client, even if there is no server yet. While no server answers, the client calls all addresses of the host in turn, and
     * looks them up every 5 s; the JDK remembers them for 30 s ({@code networkaddress.cache.ttl}).
     *
     * @param server   the server's address
     * @param world    the name of its world
     * @param access   the same access as the server's
     * @param receiver receives the snapshots; belongs to the loop from now on
     * @param clock    the clock of the receiver and of the input
     * @return a loop, to be closed
     * @throws IllegalArgumentException if the port is 0, or the server is another machine, and there is neither a key nor
     *                                  {@link Access#unauthenticated()}
     * @throws UncheckedIOException     if the host is not known
     */
    public static UdpLoop<ClientEndpoint> client(
            InetSocketAddress server, String world, Access access, SnapshotReceiver receiver, NanoClock clock) {
        access.check(server);
        if (server.getPort() == 0) {
            throw new IllegalArgumentException("a client needs the server's port, but it is 0 in " + server);
        }
        InetAddress given = server.getAddress();
        boolean isName = !server.getHostString().equals(given.getHostAddress()); // a name may have other addresses, too
        ServerAddresses addresses = new ServerAddresses(server, access, clock, InetAddress::getAllByName, task -> {
            Thread thread = new Thread(task, "escapement-udp-names");
            thread.setDaemon(true);
            thread.start();
        });
        return start(
                "escapement-udp-client",
                given.isLoopbackAddress() && !isName ? new InetSocketAddress(given, 0) : new InetSocketAddress(0),
                clock,
                sink -> new ClientEndpoint(addresses, world, access, receiver, clock, new SecureRandom(), sink));
    }

    private static <E extends Endpoint> UdpLoop<E> start(
            String name,
            InetSocketAddress bind,
            NanoClock clock,
            Function<BiConsumer<ByteBuffer, SocketAddress>, E> endpoint) {
        UdpLoop<E> loop;
        try {
            DatagramChannel channel = DatagramChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
                channel.bind(bind);
                loop = new UdpLoop<>(channel, clock, name, endpoint);
            } catch (IOException | RuntimeException | Error e) {
                channel.close();
                throw e;
            }
        } catch (IOException | UnsupportedOperationException | UnsupportedAddressTypeException e) {
            throw new UncheckedIOException(
                    "there is no UDP socket on " + bind + ": another program has the port, or the address is not one"
                            + " of this machine; choose another one, or port 0 for any that is free",
                    e instanceof IOException io ? io : new IOException(e));
        }
        loop.thread.start();
        return loop;
    }

    private void run() {
        try (channel;
                selector) {
            try {
                while (!closing) {
                    turn();
                }
            } finally {
                endpoint.close(clock.nanoTime());
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.add(e);
            LOG.log(System.Logger.Level.ERROR, thread.getName() + " has ended, because of the error below", e);
        }
    }

    private void turn() throws IOException {
        long nextNanos = endpoint.run(clock.nanoTime());
        long beganNanos = clock.nanoTime();
        long waitNanos = nextNanos - beganNanos;
        if (waitNanos >= MILLISECOND) {
            selector.select(waitNanos / MILLISECOND);
        } else if (selector.selectNow() == 0 && waitNanos > 0) {
            LockSupport.parkNanos(waitNanos); // parks instead, because a selector waits for whole milliseconds only
        }
        selector.selectedKeys().clear();
        if (load.isNewlyFull(beganNanos, clock.nanoTime())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    thread.getName()
                            + " was busy for a whole second: its packets take longer than a tick, so clients see the world late."
                            + " Limit the clients, send to each less often (InterestSettings), or broadcast over Aeron; or"
                            + " other programs have the cores");
        }
        for (int i = 0; i < PACKETS_PER_TURN && receive(); i++) {
            // The condition does all the work.
        }
    }

    private boolean receive() throws IOException {
        SocketAddress from;
        try {
            from = channel.receive(in.clear());
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            return false; // some systems report here that an earlier packet could not be delivered
        }
        if (from != null) {
            endpoint.packet(in.flip(), from, clock.nanoTime());
        }
        return from != null;
    }

    private void send(ByteBuffer packet, SocketAddress to) {
        try {
            channel.send(packet, to);
        } catch (IOException | UnsupportedAddressTypeException e) {
            // The packet counts as lost on the network: there may be no route for now, or no IPv6.
        }
    }

    /** Finds out whether a thread has no time left. One thread. */
    static final class Load {

        private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

        /** A longer turn counts as much, because it was suspended, for example by a debugger. */
        private static final long LONGEST_NANOS = SECOND_NANOS / 10;

        private long busyNanos;
        private long idleNanos;
        private long wokenNanos;
        private boolean hasWaited;
        private boolean isFull;

        /** Counts a wait, and the work before it. Returns true once: after a second of work with less than a twentieth of waiting. */
        boolean isNewlyFull(long fromNanos, long toNanos) {
            busyNanos += hasWaited ? Math.min(fromNanos - wokenNanos, LONGEST_NANOS) : 0;
            idleNanos += toNanos - fromNanos;
            wokenNanos = toNanos;
            hasWaited = true;
            boolean wasFull = isFull;
            if (busyNanos + idleNanos >= SECOND_NANOS) {
                isFull |= idleNanos < busyNanos / 20;
                busyNanos = 0;
                idleNanos = 0;
            }
            return isFull && !wasFull;
        }
    }

    /** {@return the endpoint, the server's or the client's side of the protocol} Call only methods that any thread may call. */
    public E endpoint() {
        return endpoint;
    }

    /** {@return the address of the socket, with the port that it got} */
    public InetSocketAddress address() {
        return address;
    }

    /** {@return the first error, because of which the loop ended by itself; empty if there was none} */
    public Optional<Throwable> failure() {
        return failure.cause();
    }

    /** Sends BYE to the other side, and ends the loop. Idempotent. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            LOG.log(System.Logger.Level.WARNING, thread.getName() + " does not end: it waits for its snapshots");
        }
    }
}
