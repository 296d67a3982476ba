package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers that do not answer, on virtual time, and the code that repairs what they lose. */
class BroadcastTest {

    private static final double BOUND = 0.00105;

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0.05", "3, 0.05", "4, 0.1"})
    void shouldShowWhatTheSenderHasWithoutAnAnswer(int seed, double loss) {
        RemoteRig rig = RemoteRig.broadcast(seed, 200, 0.5);
        rig.loss = loss;
        rig.run(10_000);
        assertThat(rig.largestTrueError).isBetween(0.0, BOUND);
        assertThat(rig.filledTicks()).isLessThan(60); // far fewer than are lost
        assertThat(rig.ticks).isGreaterThan(950);
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(12);
        assertThat(rig.shownBodies).isBetween(rig.worldBodies() - 5, rig.worldBodies() + 5);
        assertThat(rig.largestStep).isLessThan(0.2);
    }

    @ParameterizedTest
    @CsvSource({"5, 300", "6, 1000", "7, 3700"})
    void shouldHaveTheWholeWorldAfterARefresh(int seed, int lateMillis) {
        RemoteRig rig = RemoteRig.broadcast(seed, 2000, 0.5);
        rig.loss = 0.05;
        rig.cut = true;
        rig.run(lateMillis);
        rig.cut = false;
        rig.run(4500);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
        assertThat(rig.shownBodies).isBetween(rig.worldBodies() - 20, rig.worldBodies() + 20);
        assertThat(rig.largestTrueError).isBetween(0.0, BOUND);
        assertThat(rig.ticks - rig.predictedTicks).isGreaterThan(30);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10})
    void shouldGoOnAfterMoreWasLostThanCanBeRepaired(int seed) {
        RemoteRig rig = RemoteRig.broadcast(seed, 200, 0.5);
        rig.loss = 0.05;
        rig.run(3000);
        rig.cut = true;
        rig.run(1000);
        rig.cut = false;
        rig.run(4500);
        long filled = rig.filledTicks();
        rig.run(2000);
        assertThat(rig.filledTicks() - filled).isLessThan(15);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
        assertThat(rig.largestTrueError).isLessThan(BOUND);
    }

    @Test
    void shouldShowAWorldThatStandsStillToWhoIsLate() {
        RemoteRig rig = RemoteRig.broadcast(10, 200, 0.5);
        rig.cut = true;
        rig.run(500);
        rig.worldStands = true;
        rig.run(500);
        rig.cut = false;
        rig.loss = 0.05;
        rig.run(5000);
        assertThat(rig.shownBodies).isEqualTo(rig.worldBodies());
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(0);
        rig.worldStands = false;
        rig.run(3000);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
        assertThat(rig.largestTrueError).isLessThan(BOUND);
    }

    /** More packets are missed than their numbers can tell: 32,768. */
    @Test
    void shouldGoOnAfterNumbersHaveComeHalfRound() {
        RemoteRig rig = RemoteRig.broadcast(5, 10, 0.5);
        rig.run(3000);
        rig.cut = true;
        rig.run(340_000);
        rig.cut = false;
        rig.run(6000);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
    }

    /** Time stands still after a tick that was taken and not yet written. */
    @Test
    void shouldLetTheTickAfterARefreshNeedOnlyThatOne() {
        WireWorld world = new WireWorld(3, 60, 1, PoseLayout.PLAIN);
        SnapshotEncoder encoder = new SnapshotEncoder(WireFormat.rounded(0.001f, 0.005f), world.now.layout(), 7);
        BroadcastWriter writer = encoder.newBroadcast(10, true);
        ByteBuffer packet = ByteBuffer.allocate(PacketHeader.MOST_BYTES);
        PacketHeader header = new PacketHeader();
        long refreshed = -1;
        int begun = 0;
        for (int tick = 1; tick < 200; tick++) {
            world.tick();
            encoder.take(world.now, world.timeline);
            if (tick % 7 == 0) {
                writer.repeat(6);
            }
            while (writer.write(packet.clear())) {
                boolean isRefresh = packet.get(0) >>> PacketHeader.FLAG_BITS == BroadcastWriter.REFRESH;
                if (isRefresh) {
                    BroadcastWriter.exchangeKind(packet, 0);
                }
                if (header.read(packet.flip(), tick) && isRefresh) {
                    refreshed = header.tick;
                } else if (header.isChained && header.tick == refreshed + 1 && header.firstChunk == 0) {
                    begun++;
                    assertThat(header.secondAge + header.contextsAge)
                            .as("tick %d", tick)
                            .isZero();
                }
            }
        }
        assertThat(begun).isGreaterThan(10);
    }

    @Test
    void shouldRepeatAWorldWithoutBodies() {
        WireWorld world = new WireWorld(1, 0, 0, PoseLayout.PLAIN);
        SnapshotEncoder encoder = new SnapshotEncoder(WireFormat.EXACT, world.now.layout(), 7);
        AcknowledgedWriter writer = encoder.newReceiver();
        ByteBuffer packet = ByteBuffer.allocate(PacketHeader.MOST_BYTES);
        world.tick();
        encoder.take(world.now, world.timeline);
        assertThat(writer.write(packet)).isTrue();
        assertThat(writer.write(packet.clear())).isFalse();
        writer.repeat();
        assertThat(writer.write(packet.clear())).isTrue();
    }

    @Test
    void shouldGoOnWithASenderThatWasStartedAgain() {
        RemoteRig rig = RemoteRig.broadcast(12, 200, 0.5);
        rig.loss = 0.05;
        rig.run(3000);
        rig.restartServer();
        rig.run(4000);
        assertThat(rig.shownBodies).isBetween(rig.worldBodies() - 5, rig.worldBodies() + 5);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
        assertThat(rig.largestTrueError).isLessThan(BOUND);
    }

    /** As many as are lost of a window, if as many sums of it arrive; numbers begin again within. */
    @ParameterizedTest
    @ValueSource(ints = {20, 21, 22, 23})
    void shouldComputeWhatWasLost(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RepairWriter writer = new RepairWriter(AcknowledgedWriter.REPAIR, 7, 2);
        RepairedPackets reader = new RepairedPackets();
        List<byte[]> sent = new ArrayList<>();
        int first = 65_536 - 150;
        int lost = 0;
        for (int i = 0; i < 300; i++) {
            byte[] packet = new byte[random.nextInt(8, RepairCode.MOST_BYTES + 1)];
            random.nextBytes(packet);
            sent.add(packet);
            ByteBuffer buffer = ByteBuffer.allocate(PacketHeader.MOST_BYTES).put(packet);
            writer.sent(first + i & 0xFFFF, buffer, 0, true);
            boolean isLost = i > 10 && (random.nextInt(10) == 0 || i % 100 / 5 == 10); // bursts of five
            lost += isLost ? 1 : 0;
            if (!isLost) {
                assertThat(reader.add(first + i & 0xFFFF, buffer.flip())).isTrue();
            }
            if (writer.isDue()) {
                writer.write(buffer.clear());
                assertThat(buffer.position()).isLessThanOrEqualTo(PacketHeader.MOST_BYTES);
                reader.addSum(buffer.flip());
            }
        }
        assertThat(lost).isGreaterThan(30);
        for (int i = 0; i < 285; i++) {
            assertThat(reader.has(first + i)).as("packet %d", i).isTrue();
            byte[] got = new byte[reader.packet(first + i).remaining()];
            reader.packet(first + i).get(got);
            assertThat(got).isEqualTo(sent.get(i));
        }
    }

    @Test
    void shouldTakeAnyBytes() {
        SplittableRandom random = new SplittableRandom(24);
        PacketReader reader = new PacketReader(new SnapshotDecoder(1000));
        int[] kinds = {AcknowledgedWriter.REPAIR, BroadcastWriter.REFRESH_REPAIR, 0x1F, 0x4F, 0x11, 0x41};
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length > 8) {
                bytes[0] = (byte) kinds[random.nextInt(kinds.length)];
                bytes[3] = 0; // numbers near each other
                bytes[5] = (byte) random.nextInt(20);
            }
            reader.take(ByteBuffer.wrap(bytes));
            for (int read = 0; reader.next(); read++) {
                assertThat(read).isLessThan(5000);
            }
        }
    }
}
