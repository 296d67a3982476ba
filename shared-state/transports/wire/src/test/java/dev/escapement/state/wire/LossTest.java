package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Slice;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the picture of a receiver with many independent losses. At a loss of 30 %, without repair 70 % of ticks
 * with one packet arrive, and 34 % of ticks with three.
 */
class LossTest {

    private static LongStream seeds() {
        return Slice.current().seeds(2, LossTest.class);
    }

    /**
     * A tick of 200 bodies fits into one packet. The bounds are below the goals for a minute, because seconds vary: at 30 %, 69 to 100 % of
     * the ticks of four seconds are true.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowTrueTicksWhereManyPacketsAreLost(long seed) {
        int[] lostPercent = {0, 1, 2, 5, 10, 20, 30};
        int[] least = {100, 95, 93, 90, 85, 80, 68};
        int[] leastOf20Millis = {100, 95, 93, 90, 85, 84, 72};
        requireTrueTicks(new RemoteRig(seed, 200, 0.8), 1, lostPercent, least);
        requireTrueTicks(new RemoteRig(seed, 200, 0.8), 20, lostPercent, leastOf20Millis);
        requireTrueTicks(new RemoteRig(seed, 200, 0.8), 40, lostPercent, least);
    }

    /** A tick of 600 bodies, in a finer format, takes three packets. */
    @Test
    void shouldShowTrueTicksOfSeveralPackets() {
        WireFormat format = new WireFormat(0.00001f, 0.0001f);
        RemoteRig rig = new RemoteRig(1, 600, 0.8, PoseLayout.PLAIN, format, false);
        requireTrueTicks(rig, 10, new int[] {0, 20, 30}, new int[] {100, 70, 50});
    }

    private static void requireTrueTicks(RemoteRig rig, int wayMillis, int[] lostPercent, int[] leastTrue) {
        rig.world.jumps = false;
        rig.leastDelayNanos = wayMillis * RemoteRig.MILLI;
        rig.jitterNanos = 0;
        rig.run(6_000);
        double losslessBytes = 0; // in a millisecond
        for (int at = 0; at < leastTrue.length; at++) {
            rig.loss = lostPercent[at] / 100.0;
            rig.run(1_000);
            rig.ticks = 0;
            rig.predictedTicks = 0;
            rig.bytes = 0;
            int millis = lostPercent[at] < 30 ? 4_000 : 8_000;
            rig.run(millis);
            double bytes = (double) rig.bytes / millis;
            losslessBytes = at == 0 ? bytes : losslessBytes;
            assertThat(100.0 * (rig.ticks - rig.predictedTicks) / rig.ticks)
                    .as("%d %% lost, %d ms one way", lostPercent[at], wayMillis)
                    .isGreaterThanOrEqualTo(leastTrue[at]);
            assertThat(bytes / losslessBytes).isLessThan(1.8);
            assertThat(rig.largestTrueError).isBetween(0.0, RemoteRig.BOUND);
        }
    }

    /** Units of 10 mm, ten times the bound. The fade is over, and nothing of the error is left, after as many ticks. */
    @ParameterizedTest
    @CsvSource({"0.009, 0", "0.011, 1", "0.049, 4", "0.2, 10", "7, 10"})
    void shouldFadeAnErrorInTheFewerTicksTheSmallerItIs(float metres, int ticks) {
        PoseBlock truth = new WritableSnapshot(1, PoseLayout.PLAIN).poses().block(0);
        truth.set(0, 1, 2, 3, 0, 0, 0, 1);
        FadingPose pose = new FadingPose(10);
        pose.grow(1);
        pose.set(1 + metres, 2, 3, 0, 0, 0, 1);
        pose.beginFade(0, truth, 0, RemoteRig.FORMAT);
        for (int tick = 0; tick < ticks; tick++) {
            assertThat(pose.addError(0)).isTrue();
        }
        pose.set(truth, 0);
        assertThat(pose.addError(0)).isFalse();
        PoseBlock shown = new WritableSnapshot(1, PoseLayout.PLAIN).poses().block(0);
        pose.get(shown, 0);
        assertThat(shown.px[0]).isEqualTo(1);
    }

    /** Where 30 % are lost, a fifth of all windows of 256 packets have 1.6 lost packets in a row on average; those are no bursts. */
    @Test
    void shouldNotTakeManyIndependentLossesForBursts() {
        ArrivedPackets arrived = new ArrivedPackets();
        SplittableRandom random = new SplittableRandom(1);
        for (int number = 0; number < 100_000; number++) {
            if (random.nextDouble() >= 0.3) {
                arrived.add(number & 0xFFFF);
            }
            assertThat(number < 1_000 ? 20 : arrived.lossPercent()).isBetween(13, 30);
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
    @CsvSource({"0, 50", "2, 56", "3, 59", "10, 80", "20, 110", "25, 125", "100, 125"})
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
