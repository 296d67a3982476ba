package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.udp.ClientEndpoint.Refusal;
import java.net.SocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which clients a server accepts, and how connections end and return. */
class HandshakeTest extends EndpointFixture {

    private static final SocketAddress CLIENT = TestNetwork.address(1);
    private static final SocketAddress OTHER = TestNetwork.address(20122);

    HandshakeTest() {
        super(1);
    }

    private static Access access(boolean sealed) {
        return sealed ? KEY : PLAIN;
    }

    @Test
    void shouldReportWhyAClientIsRefused() {
        serve(KEY, new Limits(1, 1));
        ClientEndpoint wrongWorld = connect(1, "cubes", KEY);
        ClientEndpoint longerName = connect(2, "marbles2", KEY);
        ClientEndpoint noKey = connect(3, PLAIN);
        ClientEndpoint wrongKey = connect(4, OTHER_KEY);
        network.run(100);
        assertThat(connect(5, KEY).refusal()).isEmpty();
        network.run(100);
        ClientEndpoint tooMany = connect(6, KEY);
        network.run(100);
        assertThat(wrongWorld.refusal()).contains(Refusal.WORLD);
        assertThat(longerName.refusal()).contains(Refusal.WORLD);
        assertThat(noKey.refusal()).contains(Refusal.KEY);
        assertThat(wrongKey.refusal()).contains(Refusal.KEY);
        assertThat(tooMany.refusal()).contains(Refusal.FULL);
        assertThat(network.sent(Protocol.TAKEN))
                .isNotEmpty()
                .allMatch(packet -> packet.to().equals(TestNetwork.address(5)));
    }

    @Test
    void shouldRefuseAnotherVersion() {
        ServerEndpoint server = serve(PLAIN);
        byte[] hello = new byte[Protocol.HELLO_BYTES];
        hello[0] = Protocol.HELLO;
        hello[1] = 3;
        network.deliverIn(0, new TestNetwork.Sent(hello, CLIENT, SERVER));
        network.run(10);
        assertThat(network.sent(Protocol.REFUSED)).hasSize(1).allMatch(packet -> packet.bytes()[17] == 0);
        assertThat(server.count(Traffic.REFUSED)).isEqualTo(1);
    }

    @Test
    void shouldGiveNoNumberIfTheWorldTakesNoInput() {
        addWithoutInput(SERVER, KEY);
        ClientEndpoint client = connect(1, KEY);
        network.run(100);
        assertThat(client.isConnected()).isTrue();
        assertThat(client.sender()).isZero();
    }

    private void addWithoutInput(SocketAddress at, Access access) {
        SnapshotSender sender = sender(newExchange());
        network.add(
                at,
                new ServerEndpoint(sender, null, "marbles", access, Limits.DEFAULT, new Random(1), network.sink(at)));
    }

    /** Senders that are not this server's clients, for example browser pages, take all the places for senders in the ring. */
    @Test
    void shouldRefuseAClientWhileTooManySendersHaveJoined() {
        newRing(2048);
        serve(KEY);
        RemoteSources others = new RemoteSources(ring);
        TrackedSource first = others.join();
        for (int i = 1; i < InputFrame.MAX_SENDERS; i++) {
            others.join();
        }
        ClientEndpoint client = connect(1, KEY);
        network.run(1000);
        assertThat(client.refusal()).contains(Refusal.FULL);
        taken();
        others.leave(first);
        taken();
        network.run(300);
        assertThat(client.isConnected()).isTrue();
        assertThat(client.sender()).isEqualTo(1025);
    }

    /** The server sends and stores nothing for an address before the address has returned the cookie that was sent there. */
    @Test
    void shouldNotAmplifyNorKeepAnythingForAForgedAddress() {
        ServerEndpoint server = serve(PLAIN, new Limits(1, 1));
        SocketAddress victim = TestNetwork.address(666);
        connect(1, PLAIN);
        network.run(3);
        byte[] stolen = network.sent(Protocol.HELLO).get(1).bytes(); // has the cookie of another address
        network.remove(CLIENT);
        network.run(40_000);
        network.sent.clear();
        for (int i = 0; i < 100; i++) {
            network.deliverIn(0, new TestNetwork.Sent(stolen, victim, SERVER));
        }
        network.deliverIn(0, new TestNetwork.Sent(new byte[] {Protocol.HELLO}, victim, SERVER));
        network.run(1000);
        assertThat(network.sent)
                .hasSize(100)
                .allMatch(packet ->
                        packet.bytes()[0] == Protocol.CHALLENGE && packet.bytes().length * 3 <= Protocol.HELLO_BYTES);
        assertThat(server.count(Traffic.MALFORMED)).isEqualTo(1);
        ClientEndpoint client = connect(2, PLAIN);
        network.run(100);
        assertThat(client.isConnected()).isTrue();
    }

    /** The server refuses no client as FULL while it has room, however many clients came and left before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForgetTheFirstLeaverForANewClient(boolean sealed) {
        serve(access(sealed), new Limits(2, 1));
        ClientEndpoint stays = connect(1, access(sealed));
        network.run(100);
        for (int port = 2; port < 300; port++) {
            ClientEndpoint client = connect(port, access(sealed));
            network.run(10);
            assertThat(client.isConnected()).as("client %d", port).isTrue();
            client.close(network.clock.nanoTime());
            network.remove(TestNetwork.address(port));
            network.run(2);
        }
        ClientEndpoint last = connect(300, access(sealed));
        network.run(100);
        assertThat(last.isConnected()).isTrue();
        assertThat(stays.isConnected()).isTrue();
        ClientEndpoint tooMany = connect(301, access(sealed));
        network.run(100);
        assertThat(tooMany.refusal()).contains(Refusal.FULL);
    }

    /** The answer to an event is lost, then all packets. The client offers the event again when it is back. */
    @ParameterizedTest
    @CsvSource({"34500, 1", "36000, 2"})
    void shouldKnowForThirtyFiveSecondsWhatItHasTaken(int silentMillis, int times) {
        serve(KEY);
        ClientEndpoint client = connect(1, KEY);
        network.run(100);
        network.loses = packet -> packet.from().equals(SERVER);
        offer(client, 1);
        network.run(100);
        network.loses = packet -> true;
        network.run(silentMillis);
        network.loses = packet -> false;
        network.run(1000);
        assertThat(taken()).hasSize(times).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFindARestartedServer(boolean sealed) {
        ClientEndpoint client = connect(1, access(sealed));
        network.run(5000);
        assertThat(client.isConnected()).isFalse();
        serve(access(sealed));
        network.run(300);
        assertThat(client.isConnected()).isTrue();
        serve(access(sealed)); // a new server, which knows no earlier client
        network.run(2600);
        assertThat(client.isConnected()).isTrue();
        network.remove(SERVER);
        network.run(2100);
        assertThat(client.isConnected()).isFalse();
    }

    /** A server on a wildcard address may answer from another address. Without a key anyone could, so the client refuses the answer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakeAnswersFromElsewhereOnlyWithAKey(boolean sealed) throws Exception {
        network.add(OTHER, serve(access(sealed)));
        ClientEndpoint client = connect(1, access(sealed), () -> List.of(OTHER));
        network.run(5);
        assertThat(client.isConnected()).isEqualTo(sealed);
        for (int i = 0; i < 300; i++) {
            publishTick();
            network.run(10);
        }
        assertThat(client.isConnected()).isEqualTo(sealed);
        assertThat(receiver.isReady()).isEqualTo(sealed);
        assertThat(network.sent(Protocol.FEEDBACK)).hasSizeGreaterThan(sealed ? 200 : -1);
        assertThat(receiver.problem().orElse(""))
                .isEqualTo(
                        sealed
                                ? ""
                                : "no server answers from [" + OTHER + "], but " + SERVER + " answers; connect to that"
                                        + " address, or use the same key on both sides");
    }

    /** The client calls each of two addresses, even if a round trip takes longer than the HELLO period, or if both have a server. */
    @ParameterizedTest
    @CsvSource({"false, 1, false", "true, 1, false", "true, 150, false", "false, 200, true", "true, 1, true"})
    void shouldCallEachAddressOfAServer(boolean sealed, int wayMillis, boolean isOtherServed) {
        network.leastNanos = wayMillis * TestNetwork.MILLI;
        network.maxNanos = network.leastNanos;
        serve(access(sealed));
        if (isOtherServed) {
            addWithoutInput(OTHER, access(sealed));
        }
        ClientEndpoint client = connect(1, access(sealed), () -> List.of(OTHER, SERVER));
        network.run(600 + 4L * wayMillis);
        assertThat(client.isConnected()).isTrue();
        network.sent.clear();
        network.run(10_000);
        assertThat(client.isConnected()).isTrue();
        assertThat(network.sent(Protocol.HELLO)).isEmpty();
        assertThat(receiver.problem()).isEmpty();
    }

    /** The server moves to another machine, and some time later its name has that machine's address. The client must find it there. */
    @Test
    void shouldFollowANameThatLeadsElsewhere() {
        AtomicReference<SocketAddress> named = new AtomicReference<>(OTHER);
        ServerEndpoint server = serve(KEY);
        network.remove(SERVER);
        ClientEndpoint client = connect(1, KEY, () -> List.of(named.get()));
        network.run(6000);
        assertThat(client.isConnected()).isFalse();
        named.set(SERVER);
        network.add(SERVER, server);
        network.run(800);
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void shouldSayAfterTwoSecondsWhatItWaitsFor() {
        ClientEndpoint client = connect(1, KEY);
        network.run(1950);
        assertThat(receiver.problem()).isEmpty();
        network.run(400);
        String text = "no server answers from [" + SERVER + "]; start it there, and let UDP pass";
        assertThat(receiver.problem()).contains(text);
        serve(OTHER_KEY);
        network.run(300);
        assertThat(receiver.problem()).as("it is refused").isEmpty();
        assertThat(client.refusal()).contains(Refusal.KEY);
        serve(KEY);
        network.run(300);
        assertThat(receiver.problem()).isEmpty();
        assertThat(client.refusal()).isEmpty();
        assertThat(client.isConnected()).isTrue();
        network.remove(SERVER);
        network.run(3400);
        assertThat(receiver.problem()).isEmpty();
        network.run(1000);
        assertThat(receiver.problem()).contains(text);
    }
}
