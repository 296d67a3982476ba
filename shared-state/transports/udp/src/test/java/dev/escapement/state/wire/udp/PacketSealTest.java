package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.wire.SenderSession;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketSealTest {

    private static final byte[] KEY = "sixteen bytes ...".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SESSION = new byte[16];

    private final PacketSeal client = PacketSeal.ofClient(KEY, SESSION, 0);
    private final PacketSeal server = PacketSeal.ofServer(KEY, SESSION, 0);

    /** The longest sealed packet fits the least MTU of IPv6, 1,280 bytes with 48 bytes of headers. */
    @Test
    void shouldSealTheLongestPacketOfSnapshots() {
        ByteBuffer packet = ByteBuffer.allocate(Protocol.MAX_BYTES).limit(SenderSession.MAX_PACKET_BYTES);
        client.seal(packet);
        assertThat(packet.remaining()).isEqualTo(1200).isLessThanOrEqualTo(1280 - 48);
        assertThat(server.open(packet)).isNull();
        assertThat(packet.remaining()).isEqualTo(SenderSession.MAX_PACKET_BYTES);
    }

    @Test
    void shouldHideAllButTheTypeAndTheSession() {
        byte[] text = "where everybody is".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer first = sealed(client, new String(text, StandardCharsets.US_ASCII));
        ByteBuffer second = sealed(client, new String(text, StandardCharsets.US_ASCII));
        ByteBuffer answer = sealed(server, new String(text, StandardCharsets.US_ASCII));
        assertThat(first.slice(0, 5)).isEqualTo(second.slice(0, 5)).isEqualTo(ByteBuffer.wrap(text, 0, 5));
        assertThat(answer.get(0)).isEqualTo(text[0]);
        assertThat(answer.slice(1, 4)).isNotEqualTo(ByteBuffer.wrap(text, 1, 4));
        for (int at = Protocol.READABLE_CLIENT_BYTES;
                at < text.length - 3;
                at++) { // equal plaintexts never look alike, because each packet has its own nonce
            assertThat(first.slice(at, 4)).isNotEqualTo(ByteBuffer.wrap(text, at, 4));
            assertThat(first.slice(at, 4)).isNotEqualTo(second.slice(at, 4)).isNotEqualTo(answer.slice(at, 4));
        }
    }

    /** A server needs the session in a HELLO to compute the key, so the session stays readable. The rest is encrypted. */
    @Test
    void shouldHideTheNameOfTheWorldInAHello() {
        byte[] name = Protocol.name("marbles");
        ByteBuffer hello = ByteBuffer.allocate(Protocol.HELLO_BYTES + PacketSeal.BYTES)
                .put(Protocol.HELLO)
                .position(2 + Protocol.SESSION_BYTES)
                .put(name);
        client.seal(hello.rewind().limit(Protocol.HELLO_BYTES));
        assertThat(hello.slice(2, Protocol.SESSION_BYTES)).isEqualTo(ByteBuffer.allocate(Protocol.SESSION_BYTES));
        assertThat(hello.slice(2 + Protocol.SESSION_BYTES, name.length)).isNotEqualTo(ByteBuffer.wrap(name));
    }

    @Test
    void shouldRefuseEachChangedBit() {
        ByteBuffer packet = sealed(client, "move");
        for (int bit = 0; bit < packet.limit() * 8; bit++) {
            ByteBuffer forged = copy(packet);
            forged.put(bit / 8, (byte) (forged.get(bit / 8) ^ (1 << bit % 8)));
            ByteBuffer before = copy(forged);
            assertThat(server.open(forged)).as("bit %d", bit).isEqualTo(Traffic.FORGED);
            assertThat(forged).isEqualTo(before);
        }
        assertThat(server.open(packet)).isNull();
    }

    @Test
    void shouldRefuseAnotherKeyAndSession() {
        byte[] other = new byte[16];
        other[15] = 1;
        ByteBuffer packet = sealed(client, "move");
        assertThat(PacketSeal.ofServer(other, SESSION, 0).open(packet)).isEqualTo(Traffic.FORGED);
        assertThat(PacketSeal.ofServer(KEY, other, 0).open(packet)).isEqualTo(Traffic.FORGED);
    }

    /**
     * Compares the seal with a set of received numbers. The seal takes each number at most once, and each new one of the last 1,024, even
     * at both ends of the range of numbers.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldTakeAnyNumberOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeSet<Long> taken = new TreeSet<>();
        long around = seed == 1 ? Long.MAX_VALUE - 5000 : random.nextLong(Long.MAX_VALUE);
        for (int i = 0; i < 3000; i++) {
            long number = i % 500 == 499 ? Long.MAX_VALUE - random.nextInt(3) : around + random.nextLong(-2000, 5001);
            around = random.nextInt(200) == 0 ? around + random.nextLong(Long.MAX_VALUE - around) / 2 : around;
            ByteBuffer packet = sealed(PacketSeal.ofClient(KEY, SESSION, number - 1), "x");
            boolean late = !taken.isEmpty() && taken.last() - number >= 1024;
            Traffic expected = number <= 0 ? Traffic.FORGED : late || !taken.add(number) ? Traffic.REPLAYED : null;
            assertThat(server.open(packet))
                    .as("number %d after %s", number, taken)
                    .isEqualTo(expected);
        }
        assertThat(taken.last()).isGreaterThanOrEqualTo(Long.MAX_VALUE - 2);
    }

    private static ByteBuffer sealed(PacketSeal seal, String text) {
        ByteBuffer packet = ByteBuffer.allocate(100)
                .put(text.getBytes(StandardCharsets.US_ASCII))
                .flip();
        seal.seal(packet);
        return packet;
    }

    private static ByteBuffer copy(ByteBuffer packet) {
        return ByteBuffer.allocate(packet.capacity())
                .put(packet.duplicate().rewind())
                .flip();
    }
}
