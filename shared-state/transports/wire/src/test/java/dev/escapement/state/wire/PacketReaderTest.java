package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests packets with the differences from the previous packet, and the treatment of packets after a lost one. */
class PacketReaderTest {

    private static final int CALM_TICKS = 700;

    private final WireWorld world = new WireWorld(1, 300, 0.4, PoseLayout.PLAIN);
    private final CodecLink link = new CodecLink(new WireFormat(0.001f, 0.005f), PoseLayout.PLAIN, 1000);
    private final SnapshotEncoder encoder = link.encoder;
    private final SnapshotDecoder decoder = link.decoder;
    private final PacketReader reader = link.reader;
    private final ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
    private final Deque<Integer> answers = new ArrayDeque<>();
    private int sent;
    private int chained;
    private int repairs;

    private List<ByteBuffer> nextTick() {
        world.tick();
        link.take(world.now, world.timeline);
        while (answers.size() > 6) {
            link.acknowledge(answers.remove());
        }
        List<ByteBuffer> packets = new ArrayList<>();
        while (link.write(packet.clear())) {
            int first = packet.get(0);
            packets.add(
                    ByteBuffer.allocate(packet.position()).put(packet.flip()).flip());
            chained += first >>> PacketHeader.FLAG_BITS == PacketHeader.CHAINED ? 1 : 0;
            repairs += first == RepairWriter.KIND ? 1 : 0;
        }
        return packets;
    }

    private void receive(ByteBuffer arrived) {
        link.receive(arrived, answers::add);
    }

    /** Runs ticks, and loses each {@code lost}-th packet; none if {@code lost} is 0. */
    private void run(int ticks, int lost) {
        for (int tick = 0; tick < ticks; tick++) {
            for (ByteBuffer arrived : nextTick()) {
                if (lost == 0 || ++sent % lost != 0) {
                    receive(arrived);
                }
            }
        }
    }

    @Test
    void shouldRepairOccasionalLosses() {
        run(CALM_TICKS, 0);
        assertThat(reader.isMissingMuch()).isFalse();
        long lost = reader.lost();
        for (int tick = 0; tick < 300; tick++) {
            run(1, 8);
            assertThat(reader.isMissingMuch()).isFalse();
            assertThat(decoder.isWhole(encoder.newestTick() - 4))
                    .as("tick %d", tick)
                    .isTrue();
        }
        assertThat(chained).isGreaterThan(400);
        assertThat(reader.lost() - lost).isGreaterThan(30);
    }

    @Test
    void shouldResumeWithWhatWasAcknowledgedAfterABurst() {
        run(CALM_TICKS, 0);
        assertThat(chained).isPositive();
        run(20, 1);
        assertThat(reader.isMissingMuch()).isFalse(); // no later packet has shown that packets are missing
        nextTick().forEach(this::receive);
        assertThat(reader.isMissingMuch()).isTrue();
        assertThat(decoder.isWhole(encoder.newestTick())).isFalse();
        link.writer.distrust();
        chained = 0;
        run(60, 0);
        assertThat(chained).isZero();
        assertThat(decoder.isWhole(encoder.newestTick() - 59)).isTrue();
        run(CALM_TICKS, 0);
        assertThat(chained).as("twice as long").isZero();
        run(CALM_TICKS, 0);
        assertThat(chained).as("it is calm again").isPositive();
    }

    @Test
    void shouldSendNoRepairPacketsWhereAcknowledgementsAreFast() {
        for (int tick = 0; tick < CALM_TICKS; tick++) {
            nextTick().forEach(this::receive);
            answers.forEach(link::acknowledge);
            answers.clear();
        }
        assertThat(repairs).isLessThan(20);
    }

    @Test
    void shouldReportThatMuchIsMissing() {
        run(CALM_TICKS, 0);
        run(200, 2);
        assertThat(reader.isMissingMuch()).isTrue();
    }

    /** Some packets arrive after repair packets have replaced them. They do not count as lost. */
    @Test
    void shouldMissNothingThatComesAFewTicksLate() {
        run(CALM_TICKS, 0);
        long lost = reader.lost();
        Deque<ByteBuffer> late = new ArrayDeque<>();
        for (int tick = 0; tick < 300; tick++) {
            for (ByteBuffer next : nextTick()) {
                if (PacketHeader.isOfTick(next.get(0) & 0xFF) && ++sent % 6 == 0) {
                    late.add(next);
                } else {
                    receive(next);
                }
            }
            if (tick % 6 == 5) {
                late.forEach(this::receive);
                late.clear();
            }
            assertThat(reader.isMissingMuch()).as("tick %d", tick).isFalse();
        }
        assertThat(reader.lost() - lost).isLessThan(3);
    }

    @Test
    void shouldReadAVeryLateIndependentPacket() {
        run(20, 0);
        ByteBuffer late = nextTick().get(0);
        long tick = encoder.newestTick();
        run(40, 0);
        assertThat(decoder.kept(tick)).isNull();
        receive(late);
        assertThat(decoder.kept(tick)).isNotNull();
    }

    /**
     * The receiver computes as many lost packets of a window as sums of them arrive, even if packet numbers wrap within the window. From
     * too few sums it computes no wrong packet.
     */
    @ParameterizedTest
    @ValueSource(ints = {20, 21, 22, 23})
    void shouldComputeWhatWasLost(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RepairWriter sums = new RepairWriter(7);
        RepairedPackets received = new RepairedPackets();
        List<ByteBuffer> packets = new ArrayList<>();
        Deque<Integer> late = new ArrayDeque<>();
        int first = 65_536 - 150;
        for (int i = 0; i < 600; i++) {
            boolean isMuch = i > 300 && i < 400;
            byte[] bytes = new byte[random.nextInt(8, RepairCode.MAX_BYTES + 1)];
            random.nextBytes(bytes);
            packets.add(ByteBuffer.wrap(bytes));
            ByteBuffer buffer =
                    ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES).put(bytes);
            sums.sent(first + i & 0xFFFF, buffer, 0, true);
            boolean isLost = i > 10 && (random.nextInt(isMuch ? 2 : 10) == 0 || i % 100 / 5 == 10); // bursts of five
            if (isLost && random.nextInt(4) == 0) {
                late.add(i);
            } else if (!isLost) {
                assertThat(received.add(first + i & 0xFFFF, buffer.flip())).isTrue();
            }
            if (!late.isEmpty() && late.element() < i - 2) {
                int number = late.remove();
                received.add(first + number & 0xFFFF, packets.get(number).duplicate());
            }
            if (sums.isDue()) {
                sums.write(buffer.clear());
                assertThat(buffer.position()).isLessThanOrEqualTo(SenderSession.MAX_PACKET_BYTES);
                if (!isMuch || random.nextInt(3) == 0) {
                    received.addSum(buffer.flip());
                }
            }
        }
        for (int i = 0; i < 585; i++) {
            boolean isThere = received.has(first + i);
            assertThat(isThere || (i > 270 && i < 400)).as("packet %d", i).isTrue();
            assertThat(isThere ? received.packet(first + i) : packets.get(i)).isEqualTo(packets.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void shouldComputeTheOtherOfTwoWhenOneComesLate(int late) {
        RepairWriter sums = new RepairWriter(7);
        RepairedPackets received = new RepairedPackets();
        for (int number = 0; number < 8; number++) {
            sums.sent(number, packet.clear().put(new byte[] {1, 2, (byte) number}), 0, true);
            if (number != 3 && number != 5) {
                received.add(number, packet.flip());
            }
        }
        sums.write(packet.clear());
        received.addSum(packet.flip());
        received.add(late, ByteBuffer.wrap(new byte[] {1, 2, (byte) late}));
        assertThat(received.packet(8 - late)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, (byte) (8 - late)}));
    }
}
