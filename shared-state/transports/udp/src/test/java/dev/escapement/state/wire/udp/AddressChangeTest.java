package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Slice;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.wire.ReceiverMetric;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients whose addresses change while they play: another port of their router, or another network. */
class AddressChangeTest {

    private static final long MILLI = TestNetwork.MILLI;
    private static final int TICK_MILLIS = 10;
    private static final int HELD = 87;
    private static final SocketAddress CLIENT = TestNetwork.address(1);
    private static final SocketAddress STRANGER = TestNetwork.address(666);

    private EndpointFixture fixture = new EndpointFixture(1);
    private TestNetwork network = fixture.network;
    private final List<InputKind> ends = new ArrayList<>();
    private final List<Integer> taken = new ArrayList<>();
    private int offered;

    // The number of arrived ticks that the last connected client has shown, and the time of the last new one.
    private long shown;
    private long shownNanos;
    private long longestNanos;

    private void begin(long seed) {
        fixture = new EndpointFixture(seed);
        network = fixture.network;
    }

    private ClientEndpoint play(Access access) throws Exception {
        fixture.serve(access);
        ClientEndpoint client = fixture.connect(1, access);
        runTicks(client, 100);
        client.inputs().offer(network.clock.nanoTime(), InputKind.KEY_DOWN, HELD, 0, 0);
        runTicks(client, 100);
        longestNanos = 0;
        return client;
    }

    /** Runs ticks of the world; now and then the client offers an event. */
    private void runTicks(ClientEndpoint client, int ticks) throws Exception {
        for (int i = 0; i < ticks; i++) {
            fixture.publishTick();
            for (int milli = 0; milli < TICK_MILLIS; milli++) {
                network.run(1);
                look();
            }
            if (network.random.nextInt(8) == 0 && fixture.offer(client, offered)) {
                offered++;
            }
            take(fixture.sampler.sample(network.clock.nanoTime(), network.clock.nanoTime()));
        }
    }

    private void take(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (event.kind() == InputKind.KEY_UP || event.kind() == InputKind.SENDER_LEFT) {
                ends.add(event.kind());
            } else if (event.kind() == InputKind.APPLICATION) {
                taken.add(event.code());
            }
        }
    }

    /** Measures for how long the client has shown no new tick with true poses. */
    private void look() {
        long nowNanos = network.clock.nanoTime();
        long now = fixture.receiver.metric(ReceiverMetric.TICKS) - fixture.receiver.metric(ReceiverMetric.FILLED_TICKS);
        if (now != shown) {
            shown = now;
            shownNanos = nowNanos;
        }
        longestNanos = Math.max(longestNanos, nowNanos - shownNanos);
    }

    private void move(int from, int to) {
        network.move(TestNetwork.address(from), TestNetwork.address(to));
    }

    static LongStream seeds() {
        return Slice.current().seeds(200, AddressChangeTest.class);
    }

    /** The client's address changes at a random moment, with random network delays, while a third address repeats the client's packets. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldPlayOnWithoutAPauseAtAnotherAddress(long seed) throws Exception {
        begin(seed);
        network.leastNanos = network.random.nextLong(MILLI, 150 * MILLI);
        network.maxNanos = network.leastNanos + network.random.nextLong(1, 6 * MILLI);
        long mostNanos = 2 * 2 * network.maxNanos + 50 * MILLI;
        ClientEndpoint client = play(EndpointFixture.KEY);
        for (int port = 2; port <= 3; port++) {
            network.sent.clear();
            runTicks(client, network.random.nextInt(100));
            network.sent.stream()
                    .filter(packet -> !packet.from().equals(EndpointFixture.SERVER) && network.random.nextInt(4) == 0)
                    .toList()
                    .forEach(packet -> network.deliverIn(
                            network.maxNanos + network.random.nextLong(200 * MILLI),
                            new TestNetwork.Sent(packet.bytes(), STRANGER, packet.to())));
            network.moveIn(
                    network.random.nextLong(TICK_MILLIS * MILLI),
                    TestNetwork.address(port - 1),
                    TestNetwork.address(port));
            runTicks(client, 100);
        }
        network.run(1000);
        take(fixture.sampler.sample(network.clock.nanoTime(), network.clock.nanoTime()));
        assertThat(longestNanos).isLessThanOrEqualTo(mostNanos);
        assertThat(ends).as("what was released").isEmpty();
        assertThat(taken).isEqualTo(IntStream.range(0, offered).boxed().toList());
        assertThat(network.sent(Protocol.HELLO)).as("other sessions").isEmpty();
        assertThat(network.sent).isNotEmpty().noneMatch(packet -> packet.to().equals(STRANGER));
        assertThat(client.sender()).isEqualTo(1);
    }

    /** The client soon gets packets even if any one packet of its address change is lost, and the world sends rarely or pauses (-1). */
    @ParameterizedTest
    @ValueSource(ints = {0, 30, 10, -1})
    void shouldFollowSoonAfterALostPacket(int sendsPerSecond) throws Exception {
        SocketAddress next = TestNetwork.address(2);
        for (int lost = 0; lost < 4; lost++) {
            for (int phaseMillis = 0; phaseMillis < 100; phaseMillis += 17) {
                begin(lost);
                fixture.serve(EndpointFixture.KEY, Limits.DEFAULT, Math.max(0, sendsPerSecond));
                ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY);
                runTicks(client, 60);
                if (sendsPerSecond < 0) {
                    fixture.pause();
                    network.run(500);
                }
                network.run(phaseMillis);
                int number = lost;
                int[] packets = new int[1];
                network.move(CLIENT, next);
                network.loses =
                        packet -> (packet.from().equals(next) || packet.to().equals(next)) && packets[0]++ == number;
                network.run(2 + 50);
                network.sent.clear();
                network.run(100); // within this time the server sends at least one packet
                assertThat(network.sentTo(CLIENT)).isEmpty();
                assertThat(network.sentTo(next))
                        .as("packet %d is lost, %d ms", lost, phaseMillis)
                        .anyMatch(packet -> packet.bytes()[0] != Protocol.PATH_CHALLENGE);
            }
        }
    }

    /** The client's packets come from two ports in turn, as from a router that uses two ports. That must cost few bytes. */
    @Test
    void shouldCostLittleIfPacketsComeFromTwoAddresses() throws Exception {
        SocketAddress other = TestNetwork.address(2);
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        BiConsumer<ByteBuffer, SocketAddress> otherSink = network.sink(other);
        boolean[] alternates = new boolean[1];
        int[] packets = new int[1];
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY, (packet, to) -> {
            boolean isOther = alternates[0] && packets[0]++ % 2 == 0;
            (isOther ? otherSink : sink).accept(packet, to);
        });
        network.add(other, client);
        runTicks(client, 300);
        network.sent.clear();
        runTicks(client, 1000);
        long steady = network.bytesFrom(EndpointFixture.SERVER);
        network.sent.clear();
        longestNanos = 0;
        alternates[0] = true;
        runTicks(client, 1000);
        // At most 2 kB a second more.
        assertThat(network.bytesFrom(EndpointFixture.SERVER)).isLessThanOrEqualTo(steady + 10 * 2000);
        assertThat(longestNanos).isLessThanOrEqualTo(50 * MILLI);
        assertThat(network.sent(Protocol.HELLO)).isEmpty();
        assertThat(ends).isEmpty();
        assertThat(taken).isEqualTo(IntStream.range(0, offered).boxed().toList());
    }

    /** The client has the key, and acknowledges packets to an address that it has left, but answers no challenge at its new address. */
    @Test
    void shouldDropAClientThatAnswersNoChallenge() throws Exception {
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        BiConsumer<ByteBuffer, SocketAddress> elsewhere = network.sink(TestNetwork.address(2));
        boolean[] hasLeft = new boolean[1];
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY, (packet, to) -> {
            if (!hasLeft[0]) {
                sink.accept(packet, to);
            } else if (packet.get(packet.position()) != Protocol.PATH_RESPONSE) {
                elsewhere.accept(packet, to);
            }
        });
        runTicks(client, 100);
        hasLeft[0] = true;
        runTicks(client, 480);
        network.sent.clear();
        runTicks(client, 10);
        assertThat(network.sentTo(CLIENT)).as("for almost 5 s").isNotEmpty();
        runTicks(client, 50);
        network.sent.clear();
        runTicks(client, 100);
        assertThat(network.sentTo(CLIENT)).isEmpty();
        assertThat(ends).containsExactly(InputKind.SENDER_LEFT);
    }

    /** An attacker sends the client's answer to a challenge on from its own address. Answers count only from the challenged address. */
    @Test
    void shouldSendNothingToWhoPassesOnAnAnswer() throws Exception {
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY, (packet, to) -> {
            if (packet.get(0) == Protocol.PATH_RESPONSE) {
                network.deliverIn(0, new TestNetwork.Sent(TestNetwork.bytes(packet), STRANGER, to));
            } else {
                sink.accept(packet, to);
            }
        });
        runTicks(client, 100);
        move(1, 2);
        network.sent.clear();
        runTicks(client, 100);
        assertThat(network.sentTo(STRANGER)).isEmpty();
        assertThat(network.sentTo(TestNetwork.address(2)))
                .isNotEmpty()
                .allMatch(packet -> packet.bytes()[0] == Protocol.PATH_CHALLENGE);
    }

    /** The client's packets from a former address, even its answer to a challenge, arrive late. They must not move the client back. */
    @Test
    void shouldNotGoBackForALatePacket() throws Exception {
        List<byte[]> late = new ArrayList<>();
        boolean[] isHeldBack = new boolean[1];
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY, (packet, to) -> {
            if (isHeldBack[0] && !late.isEmpty()) {
                late.add(TestNetwork.bytes(packet));
            } else {
                late.add(new byte[0]); // the first one arrives, so that the server sends a challenge
                sink.accept(packet, to);
            }
        });
        runTicks(client, 100);
        late.clear();
        isHeldBack[0] = true;
        move(1, 2);
        runTicks(client, 3);
        isHeldBack[0] = false;
        move(2, 3);
        runTicks(client, 20);
        network.sent.clear();
        assertThat(late).anyMatch(bytes -> bytes.length > 0 && bytes[0] == Protocol.PATH_RESPONSE);
        late.stream()
                .filter(bytes -> bytes.length > 0)
                .forEach(bytes -> network.deliverIn(
                        0, new TestNetwork.Sent(bytes, TestNetwork.address(2), EndpointFixture.SERVER)));
        runTicks(client, 20);
        assertThat(network.sentTo(TestNetwork.address(2))).isEmpty();
        assertThat(network.sentTo(TestNetwork.address(3))).hasSizeGreaterThan(20);
    }

    /** The router restarts, and assigns the ports of its clients anew, so two clients swap their addresses. */
    @Test
    void shouldKeepBothClientsWhenTheirAddressesAreSwapped() throws Exception {
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint first = fixture.connect(1, EndpointFixture.KEY);
        ClientEndpoint second = fixture.connect(2, EndpointFixture.KEY);
        runTicks(second, 50);
        for (ClientEndpoint client : List.of(first, second)) {
            client.inputs().offer(network.clock.nanoTime(), InputKind.KEY_DOWN, HELD, 0, 0);
        }
        runTicks(second, 50);
        network.sent.clear();
        longestNanos = 0;
        move(1, 3);
        move(2, 1);
        move(3, 2);
        runTicks(first, 700);
        assertThat(longestNanos).isLessThanOrEqualTo(50 * MILLI);
        assertThat(network.sent(Protocol.HELLO)).isEmpty();
        assertThat(ends).isEmpty();
        assertThat(first.isConnected()).isTrue();
        assertThat(second.isConnected()).isTrue();
        assertThat(first.sender()).isEqualTo(1);
        assertThat(second.sender()).isEqualTo(2);
    }

    /** Another program gets the client's old port, and connects before the client is heard at its new one. Both must stay connected. */
    @Test
    void shouldKeepAClientWhoseAddressAnotherConnectsFrom() throws Exception {
        boolean[] isAway = new boolean[1];
        BiConsumer<ByteBuffer, SocketAddress> sink = network.sink(CLIENT);
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY, (packet, to) -> {
            if (!isAway[0]) {
                sink.accept(packet, to);
            }
        });
        runTicks(client, 100);
        isAway[0] = true;
        move(1, 2);
        ClientEndpoint other = fixture.connect(1, EndpointFixture.KEY, (packet, to) -> {
            network.deliverIn(MILLI, new TestNetwork.Sent(TestNetwork.bytes(packet), CLIENT, to));
        });
        runTicks(client, 30);
        assertThat(other.isConnected()).isTrue();
        isAway[0] = false;
        runTicks(client, 100);
        assertThat(ends).isEmpty();
        assertThat(client.isConnected()).isTrue();
        assertThat(client.sender()).isEqualTo(1);
    }

    /** Without a key anyone could send from the new address, so the client connects anew after 2 s of silence. */
    @Test
    void shouldMoveNothingWithoutAKey() throws Exception {
        ClientEndpoint client = play(EndpointFixture.PLAIN);
        network.sent.clear();
        move(1, 2);
        runTicks(client, 190);
        assertThat(network.sentTo(TestNetwork.address(2))).isEmpty();
        runTicks(client, 100);
        assertThat(network.sent(Protocol.PATH_CHALLENGE)).isEmpty();
        assertThat(network.sent(Protocol.HELLO)).isNotEmpty();
        assertThat(ends).isEmpty();
        assertThat(client.isConnected()).isTrue();
        assertThat(client.sender()).isEqualTo(1);
    }

    /** A client with the key seals a packet that ends within the session's id, and the first bytes of the seal's tag complete the id. */
    @Test
    void shouldRefuseASealedPacketWithoutAWholeId() throws Exception {
        ServerEndpoint server = fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY);
        runTicks(client, 20);
        byte[] session = network.sent.stream()
                .map(TestNetwork.Sent::bytes)
                .filter(bytes -> bytes[0] == Protocol.HELLO)
                .reduce((first, last) -> last)
                .map(bytes -> Arrays.copyOfRange(bytes, 2, 2 + Protocol.SESSION_BYTES))
                .orElseThrow();
        int id = Protocol.id(session);
        PacketSeal seal = PacketSeal.ofClient(EndpointFixture.KEY.key, session, 10_000);
        ByteBuffer packet = ByteBuffer.allocate(Protocol.MAX_BYTES);
        do {
            packet.clear().put(Protocol.FEEDBACK).putInt(id).flip().limit(Integer.BYTES);
            seal.seal(packet);
        } while (packet.getInt(1) != id);
        server.packet(packet, CLIENT, network.clock.nanoTime());
        assertThat(server.count(Traffic.MALFORMED)).isOne();
    }
}
