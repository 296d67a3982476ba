package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the work of a packet, in chunks that differ from the base, is bounded by its bytes, not by its header. */
class PacketWorkTest {

    private static final int MAX_BODIES = 100_000;
    private static final WireFormat FORMAT = new WireFormat(0.001f, 0.005f);

    private final CodecLink link = new CodecLink(FORMAT, PoseLayout.PLAIN, MAX_BODIES);
    private final SnapshotDecoder decoder = link.decoder;
    private final ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);

    private static int maxChunks(int bytes) {
        return 64 + 8 * bytes;
    }

    /** A header claims the maximum number of bodies, and few bytes follow. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldEndWithThePacket(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 400; i++) {
            byte[] behind = new byte[i % 60];
            random.nextBytes(behind);
            claim(0, 1 + i % 30, 0, MAX_BODIES - random.nextInt(8), behind);
            int bytes = packet.remaining();
            decoder.decode(packet);
            assertThat(decoder.changedChunks()).as("packet %d", i).isLessThanOrEqualTo(maxChunks(bytes));
        }
        assertThat(decoder.refused()).isGreaterThan(350);
    }

    /** Writes a packet as an encoder begins it, followed by any bytes. */
    private void claim(int number, long tick, int baseAge, int slots, byte... behind) {
        PacketHeader header = new PacketHeader();
        header.streamId = CodecLink.STREAM;
        header.number = number;
        header.tick = tick;
        header.baseAge = baseAge;
        header.endChunk = -1;
        header.write(packet.clear());
        RangeEncoder range = new RangeEncoder(TickCoder.CONTEXTS, 2 * SenderSession.MAX_PACKET_BYTES);
        range.begin();
        TickCoder coder = new TickCoder(new PoseCode(FORMAT), false, 1);
        WireTick none = new WireTick(0);
        coder.begin(tick, none, none, none);
        coder.slots(range, slots);
        coder.header(range);
        packet.put(range.bytes(), 0, range.end()).put(behind).flip();
    }

    /** Unreadable packets wait for others, and the receiver does not retry them with each later packet. */
    @Test
    void shouldDropWhatCannotBeReadForLong() {
        PacketReader reader = link.reader;
        claim(0, 1, 0, 0);
        reader.take(packet);
        assertThat(reader.next()).isTrue();
        for (int number = 2; number < 3000; number++) {
            claim(number, 3, 1, 0); // nothing of tick 2 is known
            reader.take(packet);
            assertThat(reader.next()).isFalse();
        }
        claim(1, 2, 0, 0);
        reader.take(packet);
        int read = 0;
        while (reader.next()) {
            read++;
        }
        assertThat(read).isBetween(1, 40);
    }
}
