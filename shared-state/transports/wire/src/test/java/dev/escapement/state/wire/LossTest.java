package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the picture of a receiver with many independent losses and a round trip of 20 ms. At a loss of 30 %, without repair 70 % of ticks
 * with one packet arrive, and 34 % of ticks with three.
 */
class LossTest {

    /** A tick of 100 bodies fits into one packet; a tick of 600 bodies, in a finer format, takes three. */
    @ParameterizedTest
    @CsvSource({"100, 0.001, 85, 75, 65", "600, 0.00001, 85, 70, 50"})
    void shouldShowTrueTicksWhereManyPacketsAreLost(int bodies, float metres, double of10, double of20, double of30) {
        double[] leastTrue = {100, of10, of20, of30};
        long losslessBytes = 0;
        for (int tenths = 0; tenths < leastTrue.length; tenths++) {
            WireFormat format = new WireFormat(metres, 10 * metres);
            RemoteRig rig = new RemoteRig(1, bodies, 0.8, PoseLayout.PLAIN, format, false);
            rig.world.jumps = false;
            rig.leastDelayNanos = 10 * RemoteRig.MILLI;
            rig.jitterNanos = 0;
            rig.loss = tenths / 10.0;
            rig.run(7_000);
            rig.ticks = 0;
            rig.predictedTicks = 0;
            rig.bytes = 0;
            rig.run(5_000);
            losslessBytes = tenths == 0 ? rig.bytes : losslessBytes;
            assertThat(100.0 * (rig.ticks - rig.predictedTicks) / rig.ticks)
                    .as("%d tenths lost", tenths)
                    .isGreaterThanOrEqualTo(leastTrue[tenths]);
            assertThat((double) rig.bytes / losslessBytes).isLessThan(1.6);
            assertThat(rig.largestTrueError).isBetween(0.0, RemoteRig.BOUND);
        }
    }

    /** Late packets are no losses. Packets that are lost before the first arrival, in an outage, or in bursts do not count either. */
    @Test
    void shouldMeasureWithHowManyPacketsALossBegins() {
        ArrivedPackets arrived = new ArrivedPackets();
        for (int number = 100; number < 2_000; number += 2) {
            arrived.add(number + 1);
            arrived.add(number);
        }
        assertThat(arrived.lossPercent()).isZero();
        arrived.add(2_500);
        for (int number = 2_501; number < 5_000; number++) {
            if (number % 20 >= 4) {
                arrived.add(number);
            }
        }
        assertThat(arrived.lossPercent()).as("bursts").isZero();
        for (int number = 5_000; number < 7_000; number++) {
            if (number % 5 != 0) {
                arrived.add(number);
            }
        }
        assertThat(arrived.lossPercent()).isBetween(19, 20);
        arrived.forget();
        assertThat(arrived.lossPercent()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 50", "2, 50", "3, 59", "10, 80", "20, 110", "25, 125", "100, 125"})
    void shouldSendMoreRepairPacketsWhereMoreIsLost(int percent, int repairs) {
        RepairWriter writer = new RepairWriter(1);
        writer.losses(percent);
        ByteBuffer packet = ByteBuffer.allocate(SenderSession.MAX_PACKET_BYTES);
        int written = 0;
        for (int number = 0; number < 100; number++) {
            writer.sent(number, packet.clear().put(new byte[20]), 0, true);
            while (writer.isDue()) {
                writer.write(packet.clear());
                written++;
            }
        }
        assertThat(written).isBetween(repairs - 1, repairs);
    }
}
