package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests packets that no endpoint has sent, and packets that were sent to another address or at another time. */
class HostileNetworkTest extends EndpointFixture {

    private static final SocketAddress CLIENT = TestNetwork.address(1);
    private static final SocketAddress STRANGER = TestNetwork.address(666);

    private static final long[] EDGES = {
        0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 255, 1L << 32, -(1L << 32)
    };

    /** The offset of the acknowledgement bits in feedback: after type, session, length, stream and newest packet. */
    private static final int ACKNOWLEDGED = 1 + Integer.BYTES + 1 + 2 * Short.BYTES;

    HostileNetworkTest() {
        super(7);
    }

    @Test
    void shouldTakeNothingThatIsReplayedReflectedTruncatedOrChanged() {
        ServerEndpoint server = serve(KEY);
        ClientEndpoint client = connect(1, KEY);
        network.run(100);
        for (int i = 0; i < 20; i++) {
            offer(client, i);
            network.run(15);
        }
        assertThat(taken()).hasSize(20);
        long serverTook = server.count(Traffic.INPUTS_TAKEN);
        List<TestNetwork.Sent> recorded = new ArrayList<>(network.sent);
        for (TestNetwork.Sent packet : recorded) {
            byte[] bytes = packet.bytes();
            deliver(packet.from(), packet.to(), bytes);
            deliver(packet.to(), packet.from(), bytes);
            deliver(STRANGER, packet.to(), bytes);
            deliver(packet.from(), packet.to(), Arrays.copyOf(bytes, network.random.nextInt(bytes.length)));
            byte[] changed = bytes.clone();
            changed[network.random.nextInt(1, bytes.length)] ^= (byte) (1 << network.random.nextInt(8));
            deliver(packet.from(), packet.to(), changed);
        }
        network.run(1000);
        assertThat(client.isConnected()).isTrue();
        assertThat(taken()).isEmpty();
        assertThat(server.count(Traffic.INPUTS_TAKEN)).isEqualTo(serverTook);
        for (Endpoint endpoint : new Endpoint[] {server, client}) {
            for (Traffic count : new Traffic[] {Traffic.REPLAYED, Traffic.FORGED, Traffic.MALFORMED, Traffic.STRANGE}) {
                assertThat(endpoint.count(count)).as("%s", count).isPositive();
            }
        }
        offer(client, 99);
        network.run(100);
        assertThat(taken()).containsExactly(99);
    }

    /** The attacker repeats all packets of an ended session some time later. None of them has an effect. */
    @ParameterizedTest
    @ValueSource(ints = {100, 6000, 15_000, 36_000, 60_000})
    void shouldAcceptNothingOfAnEndedSession(int afterMillis) {
        ServerEndpoint server = serve(KEY);
        List<TestNetwork.Sent> recorded = recordSession(KEY);
        network.run(afterMillis);
        network.sent.clear();
        for (int i = 0; i < 2; i++) {
            replay(recorded);
            network.run(100);
        }
        assertThat(taken()).isEmpty();
        assertThat(server.count(Traffic.INPUTS_TAKEN)).isEqualTo(1);
        assertThat(network.sent)
                .isNotEmpty()
                .allMatch(packet -> packet.bytes()[0] == Protocol.CHALLENGE || packet.bytes()[0] == Protocol.UNKNOWN);
    }

    /** Records a session in which a client offers an event, and then ends it. */
    private List<TestNetwork.Sent> recordSession(Access access) {
        ClientEndpoint client = connect(1, access);
        network.run(100);
        offer(client, 1);
        network.run(100);
        client.close(network.clock.nanoTime());
        network.remove(CLIENT);
        assertThat(taken()).containsExactly(1);
        return new ArrayList<>(network.sent);
    }

    /** Two servers whose addresses an attacker forges would otherwise answer each other without end. */
    @Test
    void shouldAnswerNothingButFeedbackOfAnUnknownSession() {
        serve(KEY);
        network.run(10);
        for (int type = 0; type < 256; type++) {
            network.sent.clear();
            deliver(STRANGER, SERVER, new byte[] {(byte) type, 0, 0, 0, 7});
            network.run(1);
            assertThat(network.sentTo(STRANGER)).as("type %d", type).hasSize(type == Protocol.FEEDBACK ? 1 : 0);
        }
        for (int i = 0; i < 5_000; i++) {
            deliver(STRANGER, SERVER, new byte[] {Protocol.FEEDBACK, 0, 0, 0, 7});
        }
        network.run(1);
        assertThat(network.sentTo(STRANGER)).hasSizeLessThan(1_001);
        ClientEndpoint client = connect(1, KEY);
        network.run(100);
        assertThat(client.isConnected()).isTrue();
    }

    /** The server forgot the session, because many clients came and left, but its cookie is still valid. Its packets have no effect. */
    @Test
    void shouldAcceptNothingOfAForgottenSession() {
        ServerEndpoint server = serve(KEY, new Limits(1, 1000));
        List<TestNetwork.Sent> recorded = recordSession(KEY);
        for (int port = 2; port <= 5; port++) {
            ClientEndpoint other = connect(port, KEY);
            network.run(20);
            assertThat(other.isConnected()).isTrue();
            other.close(network.clock.nanoTime());
            network.remove(TestNetwork.address(port));
            network.run(2);
        }
        network.sent.clear();
        replay(recorded);
        network.run(100);
        assertThat(taken()).isEmpty();
        assertThat(server.count(Traffic.INPUTS_TAKEN)).isEqualTo(1);
        assertThat(network.sent)
                .isNotEmpty()
                .allMatch(packet -> packet.bytes()[0] == Protocol.CHALLENGE || packet.bytes()[0] == Protocol.UNKNOWN);
    }

    /** A client that returns while its cookie is valid keeps its seals, so no earlier packet is accepted again. */
    @Test
    void shouldAcceptNothingTwiceOfASessionThatContinues() {
        ServerEndpoint server = serve(KEY);
        ClientEndpoint client = connect(1, KEY);
        network.run(100);
        network.lost = 1;
        network.run(2300);
        network.lost = 0;
        List<TestNetwork.Sent> recorded = new ArrayList<>(network.sent);
        network.run(600);
        assertThat(client.isConnected()).isTrue();
        long before = server.count(Traffic.REPLAYED);
        long fresh = recorded.stream()
                .filter(packet -> packet.from().equals(CLIENT) && packet.bytes()[0] == Protocol.FEEDBACK)
                .count();
        replay(recorded);
        replay(recorded);
        network.run(100);
        assertThat(server.count(Traffic.REPLAYED) - before).isGreaterThan(fresh);
        assertThat(client.isConnected()).isTrue();
    }

    /** The attacker repeats a client's own HELLO, whose cookie is still valid; it must not revive an earlier session. */
    @Test
    void shouldAcceptNoHelloOfAnEarlierSession() {
        serve(KEY);
        ClientEndpoint client = connect(1, KEY);
        network.run(100);
        List<TestNetwork.Sent> recorded = new ArrayList<>(network.sent);
        network.move(CLIENT, TestNetwork.address(2));
        network.run(3000);
        assertThat(client.isConnected()).isTrue();
        network.sent.clear();
        replay(recorded);
        network.run(5000);
        assertThat(client.isConnected()).isTrue();
        assertThat(network.sent).isNotEmpty().noneMatch(packet -> packet.bytes()[0] == Protocol.HELLO);
    }

    /** Without a key, only the session number tells a late packet of an ended client from one of the client that has its address now. */
    @Test
    void shouldTakeNothingOfAnEarlierClientOfTheAddress() {
        serve(PLAIN);
        List<TestNetwork.Sent> recorded = recordSession(PLAIN);
        ClientEndpoint now = connect(1, PLAIN);
        network.run(100);
        recorded.removeIf(packet -> packet.bytes()[0] == Protocol.HELLO);
        replay(recorded);
        network.run(100);
        assertThat(taken()).isEmpty();
        assertThat(now.isConnected()).isTrue();
    }

    /** The server's packets are lost, and a stranger sends copies of them from its own address. The client must refuse the copies. */
    @Test
    void shouldTakeNothingFromAnotherAddressWithoutAKey() throws Exception {
        serve(PLAIN);
        ClientEndpoint client = connect(1, PLAIN);
        network.run(100);
        network.loses = packet -> packet.from().equals(SERVER);
        int before = network.sent.size();
        for (int i = 0; i < 20; i++) {
            publishTick();
            network.run(10);
        }
        List<TestNetwork.Sent> lost = network.sent.subList(before, network.sent.size()).stream()
                .filter(packet -> packet.from().equals(SERVER))
                .toList();
        lost.forEach(packet -> deliver(STRANGER, packet.to(), packet.bytes()));
        network.run(1);
        assertThat(client.count(Traffic.STRANGE)).isEqualTo(lost.size()).isPositive();
        assertThat(receiver.isReady()).isFalse();
    }

    /** An attacker answers each HELLO from its own address before the server does. No answer written without the key has an effect. */
    @Test
    void shouldTakeNoAnswerFromElsewhereThatIsNotAuthentic() {
        serve(KEY);
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        int[] answers = new int[1];
        ClientEndpoint client = connect(1, KEY, (packet, to) -> {
            byte[] nonce = new byte[Protocol.NONCE_BYTES];
            if (packet.get(packet.position()) == Protocol.HELLO) {
                packet.get(packet.position() + 2, nonce);
                for (int kind = 0; kind < 4; kind++) {
                    network.deliverIn(TestNetwork.MILLI, new TestNetwork.Sent(answer(nonce, kind), STRANGER, CLIENT));
                    answers[0]++;
                }
            }
            sink.accept(packet, to);
        });
        network.run(4);
        assertThat(client.count(Traffic.STRANGE)).isEqualTo(answers[0]).isEqualTo(8);
        assertThat(client.refusal()).isEmpty();
        network.run(1);
        assertThat(client.isConnected()).isTrue();
        assertThat(network.sent)
                .isNotEmpty()
                .allMatch(packet -> packet.to().equals(SERVER) || packet.to().equals(CLIENT));
    }

    private byte[] answer(byte[] nonce, int kind) {
        byte[] cookie = new byte[Protocol.COOKIE_BYTES];
        network.random.nextBytes(cookie);
        byte[] session = Arrays.copyOf(nonce, Protocol.SESSION_BYTES);
        System.arraycopy(cookie, 0, session, nonce.length, cookie.length);
        byte[] tag = switch (kind) {
            case 0 -> OTHER_KEY.tag(session);
            case 1 -> new byte[Protocol.TAG_BYTES];
            default -> new byte[0];
        };
        ByteBuffer written = ByteBuffer.allocate(100)
                .put(kind == 3 ? Protocol.REFUSED : Protocol.CHALLENGE)
                .put(nonce)
                .put(kind == 3 ? new byte[1] : cookie)
                .put(tag);
        return Arrays.copyOf(written.array(), written.position());
    }

    /** Both sides get randomly changed packets of both sides, and noise. Without a key, no seal protects the code that reads them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldThrowNothingWhateverComes(long seed) {
        EndpointFixture fixture = new EndpointFixture(seed);
        TestNetwork net = fixture.network;
        Access access = seed % 2 == 0 ? KEY : PLAIN;
        ServerEndpoint server = fixture.serve(access);
        ClientEndpoint client = fixture.connect(1, access);
        for (int round = 0; round < 200; round++) {
            fixture.offer(client, round);
            net.run(50);
            for (int i = 0; i < 100; i++) {
                byte[] bytes = net.sent
                        .get(net.random.nextInt(net.sent.size()))
                        .bytes()
                        .clone();
                if (i % 10 == 0) {
                    bytes = new byte[net.random.nextInt(1500)];
                    net.random.nextBytes(bytes);
                }
                for (int changes = net.random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                    bytes[net.random.nextInt(Math.min(bytes.length, 80))] = (byte) net.random.nextInt();
                }
                if (bytes.length > Long.BYTES && net.random.nextInt(3) == 0) {
                    int at = net.random.nextInt(Math.min(bytes.length, 80) - Long.BYTES + 1);
                    ByteBuffer.wrap(bytes).putLong(at, EDGES[net.random.nextInt(EDGES.length)]);
                }
                int length = net.random.nextInt(4) == 0 ? net.random.nextInt(bytes.length + 1) : bytes.length;
                ByteBuffer packet = ByteBuffer.wrap(bytes, 0, length);
                SocketAddress from = net.random.nextInt(8) == 0 ? STRANGER : i % 2 == 0 ? CLIENT : SERVER;
                (i % 2 == 0 ? server : client).packet(packet, from, net.clock.nanoTime());
            }
            fixture.taken();
        }
        net.run(10_000);
        assertThat(client.isConnected()).isTrue();
    }

    /** A flood brings 20,000 HELLOs a second from forged addresses. Each client must still connect in two round trips. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAcceptClientsDuringAFlood(boolean withCookie) {
        ServerEndpoint server = serve(KEY);
        byte[] hello = new byte[Protocol.HELLO_BYTES + PacketSeal.BYTES];
        for (int port = 1; port <= 8; port++) {
            ClientEndpoint client = connect(port, KEY);
            for (int milli = 0; milli < 100; milli++) {
                for (int i = 0; i < 20; i++) {
                    network.random.nextBytes(hello);
                    if (!withCookie) {
                        Arrays.fill(hello, 2 + Protocol.NONCE_BYTES, hello.length, (byte) 0);
                    }
                    hello[0] = Protocol.HELLO;
                    hello[1] = Protocol.VERSION;
                    SocketAddress from = TestNetwork.address(1000 + network.random.nextInt(50_000));
                    server.packet(ByteBuffer.wrap(hello.clone()), from, network.clock.nanoTime());
                }
                network.run(1);
                assertThat(milli < 5 || client.isConnected())
                        .as("client %d after %d ms", port, milli + 1)
                        .isTrue();
            }
        }
        assertThat(server.count(Traffic.BYTES_OUT)).isLessThan(server.count(Traffic.BYTES_IN) / 3);
    }

    /** The client sends feedback, but acknowledges nothing. After five seconds the server drops it, and it connects anew. */
    @Test
    void shouldDropAClientThatAcknowledgesNothing() throws Exception {
        serve(PLAIN);
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        ClientEndpoint client = connect(1, PLAIN, (packet, to) -> {
            if (packet.get(0) == Protocol.FEEDBACK) {
                packet.put(ACKNOWLEDGED, new byte[32]);
            }
            sink.accept(packet, to);
        });
        for (int tick = 0; tick < 890; tick++) {
            publishTick();
            network.run(10);
            assertThat(tick >= 490 || client.sender() <= 1).isTrue();
        }
        assertThat(client.sender()).isEqualTo(2);
    }

    private void replay(List<TestNetwork.Sent> recorded) {
        recorded.forEach(packet -> network.deliverIn(0, packet));
    }

    private void deliver(SocketAddress from, SocketAddress to, byte[] bytes) {
        network.deliverIn(0, new TestNetwork.Sent(bytes, from, to));
    }
}
