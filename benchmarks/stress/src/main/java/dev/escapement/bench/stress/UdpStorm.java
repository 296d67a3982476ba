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
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A UDP server for the service on this machine, and a client, whose windows a reader checks at 60 frames a second or less. */
final class UdpStorm extends StormThreads {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final NanoClock CLOCK = NanoClock.system();
    private static final String WORLD = "soak";
    private static final long FRAME_NANOS = 1_000_000_000L / 60;

    /** Settings with which the client accepts worlds of any size. */
    private static final ReceiverSettings SETTINGS =
            new ReceiverSettings(ReceiverSettings.DEFAULT.maxReaders(), 1 << 20, ReceiverSettings.DEFAULT.quantile());

    UdpStorm(Life life) {
        super(life, 1);
    }

    @Override
    void work(Worker self, int index) {
        SnapshotReceiver receiver = new SnapshotReceiver(SETTINGS, CLOCK);
        SnapshotSender sender = new SnapshotSender(
                life.physics().newReader(),
                new WireFormat(0.001f, 0.003f),
                random(index).nextInt());
        // Closed in reverse order: the client first, so that its last packets still reach the server.
        try (UdpLoop<ServerEndpoint> server = UdpLoop.server(
                        ANY_PORT,
                        WORLD,
                        Access.thisMachine(),
                        sender,
                        life.physics().input(),
                        Limits.DEFAULT,
                        CLOCK);
                UdpLoop<ClientEndpoint> client =
                        UdpLoop.client(server.address(), WORLD, Access.thisMachine(), receiver, CLOCK)) {
            read(
                    self,
                    receiver,
                    () -> Stream.of(
                                    server.failure(),
                                    client.failure(),
                                    receiver.problem().<Throwable>map(IllegalStateException::new))
                            .flatMap(Optional::stream)
                            .findFirst());
        }
    }

    private void read(Worker self, SnapshotReceiver receiver, Supplier<Optional<Throwable>> failure) {
        // The client's windows are not checked for freshness, because the client's clock starts anew after an outage,
        // and because ticks may be lost on the way.
        WindowCheck windows = new WindowCheck(life.trial, new Check());
        boolean isDone = Polling.await(() ->
                receiver.isReady() || life.physics().hasEnded() || failure.get().isPresent());
        throwIf(failure.get());
        if (!isDone) {
            throw new IllegalStateException("the client over UDP got no window within 30 s");
        }
        try (SnapshotReader reader = receiver.newReader()) {
            while (self.isRunning()) {
                Polling.pass(FRAME_NANOS);
                windows.acquire(reader, windows.newestTick());
                throwIf(failure.get());
            }
        }
    }

    private static void throwIf(Optional<Throwable> failure) {
        failure.ifPresent(thrown -> {
            throw new IllegalStateException(thrown);
        });
    }
}
