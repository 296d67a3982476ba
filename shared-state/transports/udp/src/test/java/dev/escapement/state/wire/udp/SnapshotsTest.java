package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.exchange.SnapshotReader;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A world comes through: handshake, seal, snapshots and acknowledgements together. */
class SnapshotsTest extends EndpointFixture {

    private static final long TICK_MILLIS = 10;

    /** Where the bits of the packets that have arrived are in feedback: behind type, session, length, stream and newest packet. */
    private static final int ACKNOWLEDGED = 1 + Integer.BYTES + 1 + 2 * Short.BYTES;

    SnapshotsTest() {
        super(3);
    }

    private void tick() throws Exception {
        publishTick();
        network.run(TICK_MILLIS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShowTheWorldOverABadNetworkAndKeepItWhenTheServerIsGone(boolean sealed) throws Exception {
        network.lost = 0.1;
        network.repeated = 0.1;
        network.maxNanos = 15 * TestNetwork.MILLI;
        ServerEndpoint server = serve(sealed ? KEY : PLAIN);
        ClientEndpoint client = connect(1, sealed ? KEY : PLAIN);
        for (int i = 0; i < 400; i++) {
            tick();
        }
        SnapshotReader reader = receiver.newReader();
        assertThat(reader.acquire()).isTrue();
        long shown = reader.window().newestTick();
        assertThat(shown).isBetween(390L, 400L);
        // A tick that was lost is predicted, and its error fades.
        assertThat(x(reader))
                .isCloseTo((float) shown, within(reader.window().newest().isPredicted() ? 5f : 0.001f));
        assertThat(server.count(Traffic.MALFORMED)).isZero();
        assertThat(client.count(Traffic.FORGED)).isZero();

        network.remove(SERVER);
        network.run(10_000);
        reader.acquire();
        assertThat(client.isConnected()).isFalse();
        assertThat(x(reader)).isGreaterThanOrEqualTo((float) shown);
        assertThat(reader.window().newest().poses().slotCount()).isEqualTo(1);
    }

    /** Also where packets need those before them: from 512 ticks with few losses on. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1500})
    void shouldShowTheWorldAgainAfterAChangeOfRoute(int ticks) throws Exception {
        network.lost = 0.1;
        network.maxNanos = 15 * TestNetwork.MILLI;
        serve(KEY);
        ClientEndpoint client = connect(1, KEY);
        for (int i = 0; i < ticks; i++) {
            tick();
        }
        SnapshotReader reader = receiver.newReader();
        for (int port = 2; port <= 4; port++) {
            network.move(TestNetwork.address(port - 1), TestNetwork.address(port));
            for (int i = 0; i < 400; i++) {
                tick();
            }
            assertThat(client.isConnected()).isTrue();
            assertThat(reader.acquire()).isTrue();
            assertThat(x(reader)).as("port %d", port).isBetween(tick - 10f, (float) tick);
        }
    }

    /** A client that sends feedback, but acknowledges nothing, is dropped after five seconds, and gets little when it returns. */
    @Test
    void shouldDropAClientThatAcknowledgesNothing() throws Exception {
        serve(PLAIN);
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(TestNetwork.address(1));
        connect(1, PLAIN, (packet, to) -> {
            if (packet.get(0) == Protocol.FEEDBACK) {
                packet.put(ACKNOWLEDGED, new byte[32]);
            }
            sink.accept(packet, to);
        });
        for (int i = 0; i < 900; i++) {
            tick();
        }
        assertThat(network.sent(Protocol.HELLO)).hasSizeGreaterThan(2);
        network.sent.clear();
        for (int i = 0; i < 500; i++) {
            tick();
        }
        assertThat(network.sent)
                .filteredOn(packet -> packet.from().equals(SERVER))
                .hasSizeLessThan(400); // 560 if it were never dropped
    }

    private static float x(SnapshotReader reader) {
        return reader.window().newest().poses().blockOf(0).px[0];
    }
}
