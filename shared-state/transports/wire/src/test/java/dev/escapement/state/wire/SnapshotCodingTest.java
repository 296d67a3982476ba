package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a receiver knows is what the world was, within the bounds, for anything that a network does with packets. */
class SnapshotCodingTest {

    private static final PoseLayout LAYOUT = new PoseLayout(
            PoseLayout.Tangents.NONE,
            List.of(new Channel("wheel", Channel.Blending.LINEAR), new Channel("lamp", Channel.Blending.STEP)));
    private static final WireFormat ROUNDED = WireFormat.rounded(0.001f, 0.005f);
    private static final int MAX_BODIES = 4096;

    private WireWorld world = new WireWorld(1, 300, 0.4, LAYOUT);
    private SnapshotEncoder encoder = new SnapshotEncoder(ROUNDED, LAYOUT, 7);
    private AcknowledgedWriter writer = encoder.newReceiver();
    private final SnapshotDecoder decoder = new SnapshotDecoder(MAX_BODIES);
    private final PacketReader reader = new PacketReader(decoder);
    private final WritableSnapshot remote = new WritableSnapshot(0, LAYOUT);
    private final ByteBuffer packet = ByteBuffer.allocate(PacketHeader.MAX_BYTES);
    private long bytes;
    private int packets;

    SnapshotCodingTest() {
        use(world, ROUNDED);
    }

    /** A network that loses, delays, repeats and reorders packets and acknowledgements. */
    @ParameterizedTest
    @CsvSource({
        "1, 300, 0.0, false",
        "2, 300, 0.05, false",
        "3, 300, 0.5, false",
        "4, 1200, 0.1, false",
        "5, 1, 0.1, false",
        "6, 300, 0.05, true",
        "7, 1200, 0.3, true"
    })
    void shouldKnowWhatTheWorldWas(int seed, int bodies, double loss, boolean exact) {
        use(new WireWorld(seed, bodies, 0.4, LAYOUT), exact ? WireFormat.EXACT : ROUNDED);
        SplittableRandom network = new SplittableRandom(seed);
        Deque<byte[]> underWay = new ArrayDeque<>();
        Deque<Integer> acknowledgements = new ArrayDeque<>();
        int whole = 0;
        for (int tick = 1; tick <= 400; tick++) {
            world.tick();
            encoder.take(world.now, world.timeline);
            while (writer.write(packet.clear())) {
                byte[] sent = bytes();
                for (int copy = network.nextInt(20) == 0 ? 2 : 1; copy > 0; copy--) {
                    if (network.nextInt(10) == 0) {
                        underWay.addFirst(sent);
                    } else {
                        underWay.addLast(sent);
                    }
                }
            }
            while (underWay.size() > 8) {
                byte[] arrived = underWay.removeFirst();
                if (network.nextDouble() >= loss) {
                    reader.take(ByteBuffer.wrap(arrived));
                    while (reader.next()) {
                        acknowledgements.add(decoder.packetNumber());
                    }
                }
            }
            if (reader.isMissingMuch()) {
                writer.distrust();
            }
            while (acknowledgements.size() > 5) {
                int number = acknowledgements.remove();
                if (network.nextDouble() >= loss) {
                    writer.acknowledge(number);
                }
            }
            // All packets of a tick that are not lost have arrived by now.
            if (decoder.isWhole(tick - 10)) {
                whole++;
            }
            requireTrue(tick - 10, exact);
        }
        assertThat(decoder.refused()).isLessThan(packets / 10);
        assertThat(whole).as("whole ticks").isGreaterThanOrEqualTo(loss < 0.2 && bodies < 1000 ? 300 : 0);
        assertThat(decoder.knowsAll(390)).as("all chunks, each not long ago").isTrue();
    }

    /** Everything that is known of a tick is as it was. */
    private void requireTrue(long tick, boolean exact) {
        if (!decoder.read(tick, remote)) {
            return;
        }
        Snapshot local = world.at(tick);
        assertThat(remote.poses().slotCount()).isEqualTo(local.poses().slotCount());
        assertThat(remote.dueNanos()).isEqualTo(local.dueNanos());
        assertThat(remote.inputsTaken()).isEqualTo(local.inputsTaken());
        assertThat(remote.originX()).isEqualTo(local.originX());
        assertThat(remote.originZ()).isEqualTo(local.originZ());
        for (int slot = 0; slot < local.poses().slotCount(); slot++) {
            BodyBlock is = remote.bodyBlock(slot >> PoseBlock.SHIFT);
            BodyBlock was = local.bodyBlock(slot >> PoseBlock.SHIFT);
            int i = slot & PoseBlock.MASK;
            if (is.generation[i] == 0 && !decoder.isWhole(tick)) {
                continue; // of a packet that was lost
            }
            assertThat(is.generation[i]).isEqualTo(was.generation[i]);
            assertThat(is.teleports[i]).isEqualTo(was.teleports[i]);
            if (BodyId.isLive(was.generation[i])) {
                assertThat(is.userData[i]).isEqualTo(was.userData[i]);
                requirePose(remote.poses().blockOf(slot), local.poses().blockOf(slot), i, exact);
            }
        }
    }

    private static void requirePose(PoseBlock is, PoseBlock was, int i, boolean exact) {
        for (int channel = 0; channel < is.channels.length; channel++) {
            assertThat(is.channels[channel][i]).isEqualTo(was.channels[channel][i]);
        }
        if (exact) {
            assertThat(new float[] {is.px[i], is.py[i], is.pz[i], is.qx[i], is.qy[i], is.qz[i], is.qw[i]})
                    .containsExactly(was.px[i], was.py[i], was.pz[i], was.qx[i], was.qy[i], was.qz[i], was.qw[i]);
        } else {
            double metres = Math.max(
                    Math.abs(is.px[i] - was.px[i]),
                    Math.max(Math.abs(is.py[i] - was.py[i]), Math.abs(is.pz[i] - was.pz[i])));
            assertThat(metres).isLessThan(0.00101); // with what a float adds 50 m from the origin
            assertThat(radiansBetween(is, was, i)).isLessThan(0.005);
        }
    }

    /** From the chord between the two, which is exact for small angles. */
    private static double radiansBetween(PoseBlock is, PoseBlock was, int i) {
        double[] a = {is.qx[i], is.qy[i], is.qz[i], is.qw[i]};
        double[] b = {was.qx[i], was.qy[i], was.qz[i], was.qw[i]};
        double same = 0;
        double opposite = 0;
        for (int k = 0; k < 4; k++) {
            same += (a[k] - b[k]) * (a[k] - b[k]);
            opposite += (a[k] + b[k]) * (a[k] + b[k]);
        }
        return 4 * Math.asin(Math.sqrt(Math.min(same, opposite)) / 2);
    }

    @Test
    void shouldCostNothingForBodiesAtRest() {
        use(new WireWorld(1, 4000, 0, PoseLayout.PLAIN), ROUNDED);
        for (int tick = 1; tick <= 50; tick++) {
            world.tick();
            sendAll();
        }
        packets = 0;
        bytes = 0;
        for (int tick = 51; tick <= 60; tick++) { // before the first origin and bodies that wake
            world.now.startTick(tick, world.timeline.dueNanos(tick));
            world.now.publishedAt(world.timeline.dueNanos(tick) + 800_000);
            sendAll();
        }
        assertThat(packets).isEqualTo(10);
        assertThat(bytes / 10).isLessThanOrEqualTo(14);
        assertThat(decoder.isWhole(60)).isTrue();
    }

    /** A connection that takes one packet a tick gets all bodies in turn. */
    @Test
    void shouldResumeWhereATickEnded() {
        use(new WireWorld(3, 1500, 1, LAYOUT), ROUNDED);
        boolean[] known = new boolean[1500];
        for (int tick = 1; tick <= 120; tick++) {
            world.tick();
            encoder.take(world.now, world.timeline);
            assertThat(writer.write(packet.clear())).isTrue();
            decoder.decode(ByteBuffer.wrap(bytes()));
            decoder.read(tick, remote);
            for (int slot = 0; slot < known.length; slot++) {
                known[slot] |= remote.bodyBlock(slot >> PoseBlock.SHIFT).generation[slot & PoseBlock.MASK] != 0;
            }
        }
        assertThat(known).doesNotContain(false);
    }

    /** Both sides predict with the same bits on every platform and version of Java: so do the packets of a fixed world. */
    @Test
    void shouldWriteTheSameBytesEverywhere() {
        CRC32 sum = new CRC32();
        for (int tick = 1; tick <= 800; tick++) {
            world.tick();
            encoder.take(world.now, world.timeline);
            while (writer.write(packet.clear())) {
                byte[] sent = bytes();
                sum.update(sent);
                receive(ByteBuffer.wrap(sent));
            }
        }
        assertThat(sum.getValue()).isEqualTo(2_879_368_622L);
    }

    @Test
    void shouldAllocateNothing() {
        use(new WireWorld(1, 1200, 0.8, LAYOUT), ROUNDED);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE; // the JIT compiler may charge a round, but not every one
        for (int round = 0; round < 40; round++) {
            long allocated = 0;
            for (int tick = 0; tick < 20; tick++) {
                world.tick();
                long before = threads.getCurrentThreadAllocatedBytes();
                encoder.take(world.now, world.timeline);
                while (writer.write(packet.clear())) {
                    receive(packet.flip());
                }
                decoder.read(world.now.tick(), remote);
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
            }
            least = Math.min(least, allocated);
        }
        assertThat(decoder.isWhole(800)).isTrue();
        assertThat(least).as("bytes in 20 ticks").isZero();
    }

    /** A position beyond what the format reaches is at its edge and marked on both sides, for any float; positions within are not. */
    @Test
    void shouldMarkWhatIsAtTheEdge() {
        float edge = 0.002f * (1 << 29);
        float[] places = {edge / 2, -edge / 2, 0, -0f, Float.MIN_VALUE, edge, -edge, edge * 2, -Float.MAX_VALUE};
        WritableSnapshot far = new WritableSnapshot(places.length, PoseLayout.PLAIN);
        far.startTick(1, 0);
        far.resize(places.length);
        for (int i = 0; i < places.length; i++) {
            far.bodyBlock(0).spawn(i, 1, 1, i);
            far.poses().block(0).set(i, 0, places[i], 0, 0, 0, 0, 1);
        }
        SnapshotEncoder ofFar = new SnapshotEncoder(ROUNDED, PoseLayout.PLAIN, 7);
        decoder.expect(7, ROUNDED, 0, 0);
        ofFar.take(far, world.timeline);
        assertThat(ofFar.clampedBodies()).isEqualTo(4);
        assertThat(ofFar.newReceiver().write(packet.clear())).isTrue();
        assertThat(decoder.decode(packet.flip())).isTrue();
        WritableSnapshot got = new WritableSnapshot(0, PoseLayout.PLAIN);
        decoder.read(1, got);
        for (int i = 0; i < places.length; i++) {
            float expected = Math.max(-edge, Math.min(edge, places[i]));
            assertThat(got.poses().block(0).py[i]).isCloseTo(expected, within(0.001f + Math.ulp(expected)));
            assertThat(got.bodyBlock(0).quarantined[i]).isEqualTo(Math.abs(places[i]) >= edge);
        }
    }

    @Test
    void shouldRefuseTooManyBodies() {
        SnapshotDecoder small = new SnapshotDecoder(299);
        small.expect(7, ROUNDED, 2, 0);
        for (int tick = 1; tick <= 2; tick++) {
            world.tick();
            encoder.take(world.now, world.timeline);
            while (writer.write(packet.clear())) {
                assertThat(small.decode(ByteBuffer.wrap(bytes()))).isFalse();
            }
        }
        assertThat(small.refused()).isEqualTo(packets);
        assertThat(small.newestTick()).isEqualTo(Snapshot.NEVER_WRITTEN);
    }

    @Test
    void shouldSayWhatCannotBeSent() {
        world.tick();
        encoder.take(world.now, world.timeline);
        assertThat(writer.write(packet.clear())).isTrue();
        decoder.decode(ByteBuffer.wrap(bytes()));
        assertThatThrownBy(() -> encoder.take(world.now, world.timeline)).hasMessageContaining("tick 1 cannot follow");
        assertThatThrownBy(() -> decoder.read(1, new WritableSnapshot(0, PoseLayout.PLAIN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 channels cannot take a stream with 2");
        assertThatThrownBy(() -> WireFormat.rounded(0.001f, 0))
                .hasMessageContaining("not to 0.001 m and 0.0 rad; for poses to the bit, take WireFormat.EXACT");
        assertThatThrownBy(() -> WireFormat.rounded(Float.NaN, 0.01f)).isInstanceOf(IllegalArgumentException.class);
    }

    private void use(WireWorld other, WireFormat format) {
        world = other;
        decoder.expect(7, format, other.now.layout().channels().size(), 0);
        encoder = new SnapshotEncoder(format, other.now.layout(), 7);
        writer = encoder.newReceiver();
    }

    /** A network without loss or delay. */
    private void sendAll() {
        encoder.take(world.now, world.timeline);
        while (writer.write(packet.clear())) {
            receive(ByteBuffer.wrap(bytes()));
        }
    }

    private void receive(ByteBuffer arrived) {
        reader.take(arrived);
        while (reader.next()) {
            writer.acknowledge(decoder.packetNumber());
        }
        if (reader.isMissingMuch()) {
            writer.distrust();
        }
    }

    private byte[] bytes() {
        packets++;
        bytes += packet.position();
        byte[] copy = new byte[packet.flip().remaining()];
        packet.get(copy);
        return copy;
    }
}
