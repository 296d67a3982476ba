package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.Await;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests loops with real sockets of this machine. */
@Timeout(60)
class UdpLoopTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final NanoClock clock = NanoClock.system();
    private final SnapshotExchange exchange = EndpointFixture.newExchange();
    private final SnapshotReceiver receiver = EndpointFixture.receiver(clock);
    private final InputRing ring = new InputRing(64, clock);

    private UdpLoop<ServerEndpoint> serve(InetSocketAddress at) {
        return UdpLoop.server(
                at, "marbles", EndpointFixture.KEY, EndpointFixture.sender(exchange), ring, Limits.DEFAULT, clock);
    }

    private UdpLoop<ClientEndpoint> connect(InetSocketAddress to) {
        return UdpLoop.client(to, "marbles", EndpointFixture.KEY, receiver, clock);
    }

    /** The server answers from an address that its system chooses, perhaps not the one that the client called. */
    @Test
    void shouldCarryInputAndFindARestartedWildcardServer() {
        UdpLoop<ServerEndpoint> server = serve(new InetSocketAddress(0));
        int port = server.address().getPort();
        try (UdpLoop<ClientEndpoint> client = connect(new InetSocketAddress("127.0.0.2", port))) {
            Await.until(client.endpoint()::isConnected);
            assertThat(client.endpoint().inputs().offer(clock.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0))
                    .isTrue();
            Await.until(() -> ring.accepted() == 1);
            server.close();
            server.close();
            Await.until(() -> !client.endpoint().isConnected());
            client.endpoint().inputs().offer(clock.nanoTime(), InputKind.KEY_UP, 87, 0, 0);
            try (UdpLoop<ServerEndpoint> next = serve(new InetSocketAddress(port))) {
                Await.until(() -> ring.accepted() >= 2);
                assertThat(next.failure()).isEmpty();
            }
            assertThat(client.failure()).isEmpty();
        }
        assertThat(server.failure()).isEmpty();
    }

    @Test
    void shouldSayThatAPortIsTaken() {
        try (UdpLoop<ServerEndpoint> server = serve(ANY_PORT)) {
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> serve(server.address()))
                    .withMessageContaining("127.0.0.1:" + server.address().getPort())
                    .withMessageContaining("another program has the port");
        }
    }

    /** Of each 10 ms it is busy for 9 or 9.6. Once it stands for 5 s, which another program may have caused. */
    @Test
    void shouldSayOnceThatItsThreadIsFull() {
        assertThat(warnings(9_000_000, 5_000_000_000L)).isZero();
        assertThat(warnings(9_600_000, 0)).isOne();
    }

    private static int warnings(long busyNanos, long standsNanos) {
        UdpLoop.Load load = new UdpLoop.Load();
        int warnings = 0;
        long nowNanos = Long.MAX_VALUE - 1_000_000_000L; // wraps
        for (int turn = 0; turn < 500; turn++) {
            long fromNanos = nowNanos + busyNanos + (turn == 250 ? standsNanos : 0);
            nowNanos = fromNanos + 10_000_000 - busyNanos;
            warnings += load.isNewlyFull(fromNanos, nowNanos) ? 1 : 0;
        }
        return warnings;
    }

    @Test
    void shouldRefuseAddressesThatCannotBeMeant() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(ANY_PORT))
                .withMessageContaining("it is 0 in " + ANY_PORT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpLoop.client(
                        new InetSocketAddress("192.0.2.7", 20121), "marbles", Access.thisMachine(), receiver, clock))
                .withMessageContaining("192.0.2.7, but there is no key");
    }
}
