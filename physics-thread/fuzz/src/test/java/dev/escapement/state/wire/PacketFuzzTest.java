package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;

/** Any packets, one after another, are read or refused, within the bodies that were allowed. */
class PacketFuzzTest {

    private static final int MOST_BODIES = 300;

    @FuzzTest(maxDuration = "10s")
    void shouldReadOrRefuseAnyPackets(byte[] bytes) {
        SnapshotDecoder decoder = new SnapshotDecoder(MOST_BODIES);
        Snapshot snapshot = new Snapshot(0, PoseLayout.PLAIN);
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.remaining() > 1) {
            int size = Math.min(all.remaining() - 1, all.get() & 0xFF);
            decoder.decode(all.slice(all.position(), size));
            all.position(all.position() + size);
        }
        long newest = decoder.newestTick();
        if (newest != Snapshot.NEVER_WRITTEN && decoder.channels() == 0) {
            assertThat(decoder.read(newest, snapshot)).isTrue();
            assertThat(snapshot.poses().slotCount()).isLessThanOrEqualTo(MOST_BODIES);
            assertThat(snapshot.bodies().count()).isBetween(0, MOST_BODIES);
        }
    }
}
