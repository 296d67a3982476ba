package dev.escapement.bench.stress;

import dev.escapement.state.exchange.SnapshotReader;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server over UDP on this machine, and a client of it. A reader at 60 frames a second or less checks the client's windows. */
final class UdpStorm implements Part {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final NanoClock CLOCK = NanoClock.system();
    private static final String WORLD = "soak";
    private static final long FRAME_NANOS = 1_000_000_000L / 60;

    /** The usual ones, for worlds of any size. */
    private static final ReceiverSettings SETTINGS =
            new ReceiverSettings(ReceiverSettings.DEFAULT.maxReaders(), 1 << 20, ReceiverSettings.DEFAULT.quantile());

    private final Life life;
    private final SnapshotReceiver receiver = new SnapshotReceiver(SETTINGS, CLOCK);
    private @Nullable UdpLoop<ServerEndpoint> server;
    private @Nullable UdpLoop<ClientEndpoint> client;
    private @Nullable Worker reads;

    // Volatile: the reading thread writes it, any thread reads it; nothing else is ordered by it.
    private volatile long newestTick;

    UdpStorm(Life life) {
        this.life = life;
    }

    @Override
    public void start() {
        int seed = new SplittableRandom(life.plan.seed()).nextInt();
        SnapshotSender sender =
                new SnapshotSender(life.physics().newReader(), WireFormat.rounded(0.001f, 0.003f), seed);
        server = UdpLoop.server(
                ANY_PORT, WORLD, Access.thisMachine(), sender, life.physics().input(), Limits.DEFAULT, CLOCK);
        client = UdpLoop.client(server.address(), WORLD, Access.thisMachine(), receiver, CLOCK);
        reads = Worker.start("storm-udp", this::read);
    }

    private void read(Worker self) {
        // Its clock starts anew after an outage, and it may see less than was published: freshness is not its promise.
        WindowCheck windows = new WindowCheck(life.trial, new Check());
        if (Polling.await(Long.MAX_VALUE / 2, () -> receiver.isReady() || !self.isRunning()) && self.isRunning()) {
            try (SnapshotReader reader = receiver.newReader()) {
                while (self.isRunning()) {
                    Polling.pass(FRAME_NANOS);
                    windows.acquire(reader, windows.newestTick());
                    newestTick = windows.newestTick();
                }
            }
        }
    }

    @Override
    public boolean hasWorked() {
        return newestTick > 0;
    }

    @Override
    public Optional<Throwable> failure() {
        return Stream.of(
                        Optional.ofNullable(server).flatMap(UdpLoop::failure),
                        Optional.ofNullable(client).flatMap(UdpLoop::failure),
                        Optional.ofNullable(reads).flatMap(Worker::failure),
                        receiver.problem().<Throwable>map(IllegalStateException::new))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void close() {
        Worker reading = reads;
        UdpLoop<ServerEndpoint> serving = server;
        UdpLoop<ClientEndpoint> receiving = client;
        try (reading;
                serving;
                receiving) {
            // Only their ends, in the order of the network: the last words of a client arrive.
        }
    }
}
