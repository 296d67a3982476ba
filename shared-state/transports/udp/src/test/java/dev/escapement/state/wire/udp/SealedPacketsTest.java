package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.wire.SnapshotReceiver;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets of one who has the key, and seals anything. */
class SealedPacketsTest {

    private static final int ROUNDS = 4000;
    private static final long[] EDGES = {
        0, 1, 2, -1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE - 255, 1L << 32, -(1L << 32)
    };

    private EndpointFixture fixture = new EndpointFixture(0);
    private TestNetwork network = fixture.network;
    private SplittableRandom random = network.random;

    /** What was sent to the hostile side since it looked last. */
    private final List<byte[]> answers = new ArrayList<>();

    private void begin(long seed) {
        fixture = new EndpointFixture(seed);
        network = fixture.network;
        random = network.random;
    }

    private long anyLong() {
        long edge = EDGES[random.nextInt(EDGES.length)];
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> edge + random.nextInt(-3, 4);
            case 2 -> network.clock.nanoTime() + random.nextInt();
            default -> random.nextInt(2000);
        };
    }

    private static ByteBuffer sealed(PacketSeal seal, ByteBuffer packet) {
        ByteBuffer sealed = ByteBuffer.allocate(2000).put(packet).flip();
        if (sealed.hasRemaining()) {
            seal.seal(sealed);
        }
        return sealed;
    }

    private ByteBuffer anyBytes(int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        new Random(random.nextLong()).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** Feedback with any clock, acknowledgements, numbers and events; often right but for that. */
    private ByteBuffer anyFeedback(byte[] session) {
        ByteBuffer packet = ByteBuffer.allocate(1400).put(Protocol.FEEDBACK).putInt(Protocol.id(session));
        byte[] acknowledgements = new byte[random.nextInt(3) == 0 ? random.nextInt(60) : 37];
        new Random(random.nextLong()).nextBytes(acknowledgements);
        if (acknowledgements.length > 4) {
            acknowledgements[0] = 0;
            acknowledgements[1] = 1; // the stream's id
        }
        packet.put((byte) acknowledgements.length).put(acknowledgements);
        int events = random.nextInt(20);
        packet.putLong(anyLong()).putLong(anyLong()).put((byte) (random.nextInt(9) == 0 ? random.nextInt() : events));
        for (int i = 0; i < events; i++) {
            packet.putLong(anyLong()).put((byte) random.nextInt(11)).putInt(random.nextInt(-2, 600));
            packet.putFloat(Float.intBitsToFloat(random.nextInt())).putFloat(random.nextFloat());
        }
        return packet.flip();
    }

    private ByteBuffer hello(byte[] session) {
        ByteBuffer packet = ByteBuffer.allocate(Protocol.HELLO_BYTES)
                .put(Protocol.HELLO)
                .put((byte) Protocol.VERSION)
                .put(session)
                .put(Protocol.name(random.nextInt(20) == 0 ? "" : "marbles"));
        return packet.rewind();
    }

    /** Connects as often as it likes, with any number of packets before, from two addresses, and sends what it likes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldBearAnyClient(long seed) {
        begin(seed);
        ServerEndpoint server = fixture.serve(EndpointFixture.KEY, new Limits(2, 1_000_000, 1000, 200));
        ClientEndpoint honest = fixture.connect(9, EndpointFixture.KEY);
        network.run(100);
        byte[] session = new byte[Protocol.SESSION_BYTES];
        PacketSeal seal = PacketSeal.ofClient(EndpointFixture.KEY.key, session, 0);
        for (int round = 0; round < ROUNDS; round++) {
            SocketAddress from = TestNetwork.address(1 + random.nextInt(20) / 19);
            ByteBuffer packet;
            switch (random.nextInt(40)) {
                case 0 -> { // another session, of the same client or of another
                    session = session.clone();
                    session[random.nextInt(Protocol.NONCE_BYTES)] += (byte) random.nextInt(2);
                    ByteBuffer.wrap(session).putLong(Protocol.SESSION_BYTES - Long.BYTES, anyLong());
                    cookie(server, from, session);
                    seal = PacketSeal.ofClient(EndpointFixture.KEY.key, session, Math.max(0, anyLong()));
                    packet = sealed(seal, hello(session));
                }
                case 1 -> packet = sealed(seal, hello(session));
                case 2 ->
                    packet = sealed(
                            seal,
                            ByteBuffer.allocate(5)
                                    .put(Protocol.CLIENT_BYE)
                                    .putInt(Protocol.id(session))
                                    .flip());
                case 3, 4 -> packet = sealed(seal, anyBytes(Protocol.MOST_PLAIN_BYTES + 1));
                case 5 -> {
                    seal = PacketSeal.ofClient(EndpointFixture.KEY.key, session, anyLong()); // any number next
                    packet = sealed(seal, anyFeedback(session));
                }
                default -> packet = sealed(seal, anyFeedback(session));
            }
            server.packet(packet, from, network.clock.nanoTime());
            network.run(random.nextInt(100) == 0 ? random.nextInt(12_000) : random.nextInt(8));
            fixture.taken();
        }
        assertThat(server.count(Traffic.INPUTS_TAKEN)).isGreaterThan(50);
        network.run(1000);
        assertThat(honest.isConnected()).isTrue();
        fixture.taken();
        fixture.offer(honest, 7);
        network.run(200);
        assertThat(fixture.taken()).contains(7);
    }

    /** Asks for a cookie, and puts it into a session. */
    private void cookie(ServerEndpoint server, SocketAddress from, byte[] session) {
        int before = network.sent.size();
        byte[] asks = session.clone();
        Arrays.fill(asks, Protocol.NONCE_BYTES, Protocol.SESSION_BYTES, (byte) 0);
        server.packet(hello(asks), from, network.clock.nanoTime());
        for (TestNetwork.Sent sent : network.sent.subList(before, network.sent.size())) {
            if (sent.bytes()[0] == Protocol.CHALLENGE) {
                System.arraycopy(
                        sent.bytes(), 1 + Protocol.NONCE_BYTES, session, Protocol.NONCE_BYTES, Protocol.COOKIE_BYTES);
            }
        }
    }

    /** A server with the key that answers, takes, refuses, says good-bye and sends as it likes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldBearAnyServer(long seed) {
        begin(seed);
        SnapshotReceiver receiver = EndpointFixture.receiver(network.clock);
        ClientEndpoint client = new ClientEndpoint(
                EndpointFixture.SERVER,
                "marbles",
                EndpointFixture.KEY,
                receiver,
                network.clock,
                new Random(seed),
                (packet, to) -> {
                    byte[] bytes = new byte[packet.remaining()];
                    packet.get(bytes);
                    answers.add(bytes);
                });
        PacketSeal seal = null;
        byte[] session = null;
        int connected = 0;
        for (int round = 0; round < ROUNDS; round++) {
            network.pass(random.nextInt(200) == 0 ? 3_000_000_000L : random.nextInt(8_000_000));
            long nowNanos = network.clock.nanoTime();
            client.run(nowNanos);
            fixture.offer(client, round);
            List<byte[]> sent = List.copyOf(answers);
            answers.clear();
            for (byte[] bytes : sent) {
                if (bytes[0] == Protocol.HELLO) {
                    byte[] called = Arrays.copyOfRange(bytes, 2, 2 + Protocol.SESSION_BYTES);
                    if (bytes.length > Protocol.HELLO_BYTES && !Arrays.equals(called, session)) {
                        session = called;
                        seal = PacketSeal.ofServer(EndpointFixture.KEY.key, session, Math.max(0, anyLong()));
                    }
                    byte[] cookie = new byte[Protocol.COOKIE_BYTES];
                    cookie[0] = (byte) random.nextInt(3);
                    ByteBuffer answer = ByteBuffer.allocate(100)
                            .put(random.nextInt(9) == 0 ? Protocol.REFUSED : Protocol.CHALLENGE)
                            .put(bytes, 2, Protocol.NONCE_BYTES)
                            .put(cookie);
                    client.packet(answer.flip(), EndpointFixture.SERVER, nowNanos);
                }
            }
            if (seal == null) {
                continue;
            }
            byte[] id = Objects.requireNonNull(session);
            ByteBuffer packet = ByteBuffer.allocate(1400);
            switch (random.nextInt(8)) {
                case 0, 1 ->
                    packet.put(Protocol.TAKEN)
                            .putInt(Protocol.id(id))
                            .putLong(anyLong())
                            .flip();
                case 2 -> {
                    if (random.nextInt(20) == 0) {
                        packet.put(Protocol.SERVER_BYE).putInt(Protocol.id(id)).putLong(anyLong());
                    }
                    packet.flip();
                }
                case 3 -> {
                    seal = PacketSeal.ofServer(EndpointFixture.KEY.key, id, anyLong());
                    packet.flip();
                }
                default -> {
                    packet.put(anyBytes(1300)).flip();
                    if (packet.hasRemaining()) {
                        packet.put(0, (byte) (0x30 + random.nextInt(4)));
                    }
                }
            }
            client.packet(sealed(seal, packet), EndpointFixture.SERVER, nowNanos);
            connected += client.isConnected() ? 1 : 0;
        }
        assertThat(connected).isGreaterThan(100);
    }
}
