package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import java.nio.ByteBuffer;

/** Fuzzes packets: the receiver reads or refuses any packets in a row, and shows valid ones, up to the allowed number of bodies. */
class PacketFuzzTest {

    private static final int MAX_BODIES = 300;

    @FuzzTest(maxDuration = "10s")
    void shouldReadOrRefuseAnyPackets(byte[] bytes) {
        SnapshotReceiver receiver = new SnapshotReceiver(new ReceiverSettings(1, MAX_BODIES, 0.99), () -> 0);
        ByteBuffer packet = ByteBuffer.allocate(64);
        WireFormat format = new WireFormat(0.001f, 0.003f);
        int ticksPerSend = bytes.length % 5 == 0 ? 2 : 0;
        StreamInfo info = new StreamInfo(
                258, 1, false, bytes.length % 2 == 1, TickRate.hertz(100), format, ticksPerSend, PoseLayout.PLAIN);
        info.write(packet);
        receiver.packet(packet.flip(), 0);
        SnapshotDecoder decoder = new SnapshotDecoder(MAX_BODIES);
        decoder.expect(info);
        long nowNanos = 0;
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.remaining() > 1) {
            int size = Math.min(all.remaining() - 1, all.get() & 0xFF);
            decoder.decode(all.slice(all.position(), size));
            nowNanos += 7_000_000;
            receiver.packet(all.slice(all.position(), size), nowNanos);
            assertThat(receiver.run(nowNanos)).isGreaterThan(nowNanos);
            all.position(all.position() + size);
        }
        WireTick newest = decoder.kept(decoder.newestTick());
        assertThat(newest == null || newest.slots <= MAX_BODIES).isTrue();
    }
}
