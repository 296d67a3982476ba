package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.Slice;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a received world on virtual time. {@link RemoteRig} checks in every test that ticks are consecutive. */
class SnapshotReceiverTest {

    private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> 0);

    /** The largest step in a tick shows prediction errors: bodies move at up to 6 m/s, and errors fade within ten ticks. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.5, 0, 0, 0.2",
        "4, 0.5, 0.05, 0, 0.2",
        "5, 0.5, 0.05, 50, 0.2",
        "6, 0.5, 0.05, -50, 0.2",
        "7, 0.5, 0.3, 0, 0.2",
        "12, 0.5, 0.3, 0, 0.1", // with this seed a body is new
        "10, 1, 0.3, 0, 0.12", // with this seed the receiver already knows of a body's later teleport
        "31, 0.5, 0.4, 0, 0.12" // with this seed no two ticks in a row arrive, which would show the motion
    })
    void shouldShowTheTruthOrSayThatItDoesNot(int seed, double moving, double loss, double driftPpm, double step) {
        RemoteRig rig = new RemoteRig(seed, 200, moving);
        rig.loss = loss;
        rig.driftPpm = driftPpm;
        rig.run(8_000);
        assertThat(rig.filledTicks()).isBetween((long) (800 * loss * 0.25), (long) (800 * loss * 1.5) + 100);
        assertThat(rig.largestStep).isBetween(0.03, step);
        assertThat(rig.ticks).isGreaterThan(770);
        rig.requireWell(10);
    }

    static LongStream seeds() {
        return Slice.current().seeds(100, SnapshotReceiverTest.class);
    }

    /** Up to six faults of the network, both programs and the world's clock occur. Even then, poses that are not predicted are true. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeWholeAgainAfterAnyFaults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RemoteRig rig = new RemoteRig(seed, random.nextInt(1, 40), 0.5);
        rig.run(1500);
        for (int faults = random.nextInt(1, 7); faults > 0; faults--) {
            long nanos = random.nextLong((random.nextInt(4) == 0 ? 3000 : 500) * RemoteRig.MILLI);
            switch (random.nextInt(8)) {
                case 0 -> rig.loss = random.nextDouble(0.3);
                case 1 -> rig.cut = !rig.cut;
                case 2 -> rig.heldUntilNanos = rig.nanos + nanos;
                case 3 -> rig.stalledUntilNanos = rig.nanos + nanos;
                case 4 -> rig.jitterNanos = nanos / 10;
                case 5 -> rig.worldStands = !rig.worldStands;
                case 6 -> rig.restartServer();
                default -> rig.setWorldClock(nanos);
            }
            rig.run(random.nextInt(600));
        }
        rig.loss = 0;
        rig.cut = false;
        rig.worldStands = false;
        rig.jitterNanos = 20 * RemoteRig.MILLI;
        // 3 s until the network has delivered all packets, 3.5 s until the picture must be complete.
        rig.run(3000 + 3500);
        int predicted = rig.predictedTicks;
        rig.run(500);
        assertThat(rig.predictedTicks - predicted).isLessThan(20);
        rig.requireWell(28); // the largest playout delay, which falls slowly, and the travel time
    }

    /** A new process loads its classes while the first packets wait. The wait must not count as a delay of the network. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100})
    void shouldForgetThatItWasLateItselfWhenItStarted(int startsAfterMillis) {
        RemoteRig rig = new RemoteRig(30, 200, 0.5);
        rig.run(startsAfterMillis);
        rig.stalledUntilNanos = rig.nanos + 300 * RemoteRig.MILLI;
        rig.run(1300);
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(7);
    }

    /** Packets that waited while the receiver did not run were not late on the network, so the playout delay must not grow. */
    @Test
    void shouldBeAsYoungAsBeforeAfterItWasStopped() {
        RemoteRig rig = new RemoteRig(31, 200, 0.5);
        rig.run(4000);
        long behind = rig.ticksBehind();
        rig.stalledUntilNanos = rig.nanos + 1000 * RemoteRig.MILLI;
        rig.run(2200);
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(behind + 1);
    }

    @Test
    void shouldSendChannelsToTheBit() {
        PoseLayout layout = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.ANGLE)));
        RemoteRig rig = new RemoteRig(9, 100, 0.5, layout, RemoteRig.FORMAT, false);
        rig.watcher = (shown, truth) -> {
            for (int slot = 0; slot < truth.poses().slotCount() && !shown.isPredicted(); slot++) {
                if (truth.bodies().exists(slot)) {
                    float[] wheels = shown.poses().block(0).channels[0];
                    assertThat(wheels[slot]).isEqualTo(truth.poses().block(0).channels[0][slot]);
                }
            }
        };
        rig.run(3000);
        assertThat(rig.ticks - rig.predictedTicks).isGreaterThan(200);
    }

    /** The 250 ms begin when the sender starts, and include its first three ticks, without which there is no window. */
    @ParameterizedTest
    @CsvSource({"10, 100, 0.05", "12, 1000, 1"})
    void shouldHaveTheWholeWorldSoon(int seed, int bodies, double moving) {
        RemoteRig rig = new RemoteRig(seed, bodies, moving);
        rig.loss = 0.05;
        rig.run(250);
        assertThat(rig.ticks).isPositive();
        assertThat(rig.shownBodies).isGreaterThan(bodies * 95 / 100);
    }

    @Test
    void shouldStandWhenNothingComes() {
        RemoteRig rig = new RemoteRig(14, 200, 0.5);
        rig.run(3000);
        int before = rig.ticks;
        rig.cut = true;
        rig.run(3000);
        // Packets under way, and predictions for a quarter of a second.
        assertThat(rig.ticks - before).isBetween(25, 35);
        int bodies = rig.shownBodies;
        rig.run(10_000);
        assertThat(rig.ticks - before).isLessThan(36);
        assertThat(rig.shownBodies).isEqualTo(bodies);
        rig.cut = false;
        rig.run(1000);
        rig.requireWell(6);
        assertThat(rig.leastTaken).as("also in predicted ticks").isNotNegative();
        // The picture lacks the motion of 13 s at up to 6 m/s. A tick corrects less than 0.2 of that error.
        assertThat(rig.largestStep).isLessThan(0.2 * 6 * 13);
        assertThat(rig.receiver.tickShift()).isNegative();
    }

    /** The silence grows even while refused packets come. */
    @Test
    void shouldReportHowLongNothingCame() {
        RemoteRig rig = new RemoteRig(1, 20, 0.5);
        assertThat(rig.receiver.silentNanos()).isZero();
        rig.run(3000);
        assertThat(rig.receiver.silentNanos()).isLessThan(200 * RemoteRig.MILLI);
        rig.cut = true;
        rig.run(1000);
        long before = rig.receiver.silentNanos();
        for (int packet = 0; packet < 100; packet++) {
            rig.receiver.packet(ByteBuffer.wrap(new byte[] {1, 2, 3}), rig.nanos);
        }
        rig.run(6000);
        assertThat(rig.receiver.silentNanos() - before).isCloseTo(6000 * RemoteRig.MILLI, within(RemoteRig.MILLI));
        rig.cut = false;
        rig.run(1000);
        assertThat(rig.receiver.silentNanos()).isLessThan(200 * RemoteRig.MILLI);
    }

    @Test
    void shouldResumeWithAServerThatWasStartedAgain() {
        RemoteRig rig = new RemoteRig(15, 200, 0.5);
        rig.loss = 0.05;
        rig.run(3000);
        for (int start = 1; start <= 3; start++) {
            int before = rig.ticks;
            rig.restartServer();
            rig.run(1500);
            assertThat(rig.ticks - before).isGreaterThan(110);
            rig.requireWell(6);
            assertThat(rig.receiver.metric(ReceiverMetric.STREAMS)).isEqualTo(1 + start);
        }
    }

    /** Every other tick is missing. That must not count as time that stands still. */
    @Test
    void shouldResumeWithEachSecondTick() {
        RemoteRig rig = new RemoteRig(20, 20, 0.5);
        rig.jitterNanos = 0;
        rig.run(2000);
        rig.worldStands = true;
        rig.run(500);
        rig.worldStands = false;
        rig.oneTickArrivesOf = 2;
        rig.run(500);
        int before = rig.ticks;
        rig.run(2000);
        assertThat(rig.ticks - before).isBetween(199, 201);
    }

    /** The last tick before a pause is often shown before all of it arrives. The rest must be shown although no later tick comes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldShowAllOfTheTickOfAPause(int seed) {
        RemoteRig rig = new RemoteRig(seed, 400, 0.5);
        rig.loss = 0.3;
        rig.run(2000 + seed * 10);
        rig.worldStands = true;
        rig.run(1500);
        assertThat(rig.shownBodies).isEqualTo(rig.world.now.bodies().count());
        assertThat(rig.isPredicted).isFalse();
        assertThat(rig.largestTrueError).isLessThan(RemoteRig.BOUND);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldShowWhatChangesWhileTheWorldStands(int seed) {
        RemoteRig rig = new RemoteRig(seed, 100, 0.5);
        rig.loss = 0.1;
        rig.run(2000 + seed * 10);
        rig.worldStands = true;
        rig.run(500);
        for (int change = 0; change < 5; change++) {
            rig.changeWhileStanding();
            rig.run(300L * change);
        }
        rig.run(1000);
        assertThat(rig.shownBodies).isEqualTo(rig.world.now.bodies().count());
        assertThat(rig.isPredicted).isFalse();
        rig.worldStands = false;
        rig.run(2000);
        rig.requireWell(6);
    }

    @Test
    void shouldFollowAChangeOfRoute() {
        RemoteRig rig = new RemoteRig(17, 200, 0.5);
        rig.run(6000);
        long filled = rig.filledTicks();
        rig.leastDelayNanos = 80 * RemoteRig.MILLI;
        rig.run(2000);
        assertThat(rig.filledTicks() - filled).isBetween(5L, 100L);
        filled = rig.filledTicks();
        rig.run(6000);
        assertThat(rig.filledTicks() - filled).isLessThan(20);
        rig.leastDelayNanos = 10 * RemoteRig.MILLI;
        rig.run(12_000);
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(5); // the picture has caught up
    }

    /** The new route is longer than the receiver's longest wait. A receiver that kept the old route's delays would show every tick late. */
    @Test
    void shouldFollowARouteThatIsFarLonger() {
        RemoteRig rig = new RemoteRig(25, 200, 0.5);
        rig.run(6000);
        rig.leastDelayNanos = 700 * RemoteRig.MILLI;
        rig.run(2000);
        long filled = rig.filledTicks();
        rig.run(2000);
        assertThat(rig.filledTicks() - filled).isLessThan(10);
        assertThat(rig.largestTrueError).isLessThan(RemoteRig.BOUND);
    }

    /** Packets held back for three seconds arrive at once. The picture skips the outdated ticks instead of showing all of them. */
    @Test
    void shouldLeaveOutWhatCameFarTooLate() {
        RemoteRig rig = new RemoteRig(19, 200, 0.5);
        rig.run(3000);
        rig.heldUntilNanos = rig.nanos + 3000 * RemoteRig.MILLI;
        rig.run(5000);
        long filled = rig.filledTicks();
        rig.run(10_000);
        assertThat(rig.filledTicks() - filled).isLessThan(30);
        rig.requireWell(25);
    }

    @Test
    void shouldReturnToAStreamThatContinuesAlone() {
        for (int stream : new int[] {1, 2}) {
            assertThat(receiver.packet(info(stream, PoseLayout.PLAIN), 0)).isTrue();
        }
        ByteBuffer first = info(1, PoseLayout.PLAIN);
        // May be a late packet of the former stream.
        assertThat(receiver.packet(first, 500 * RemoteRig.MILLI)).isFalse();
        assertThat(receiver.packet(first.rewind(), 2000 * RemoteRig.MILLI)).isTrue();
    }

    private static ByteBuffer info(int stream, PoseLayout layout) {
        ByteBuffer packet = ByteBuffer.allocate(64);
        new StreamInfo(stream, 5, false, false, WireWorld.RATE, RemoteRig.FORMAT, 0, layout).write(packet);
        return packet.flip();
    }

    /** The format reaches only 10 m, so most bodies are at its edge. */
    @Test
    void shouldCountBodiesAtTheEdge() {
        RemoteRig rig = new RemoteRig(9, 50, 0, PoseLayout.PLAIN, new WireFormat(1e-8f, 0.005f), false);
        rig.run(1_000);
        assertThat(rig.receiver.metric(ReceiverMetric.CLAMPED_BODIES)).isBetween(30L, 50L);
    }

    @Test
    void shouldRefuseToReadBeforeAnythingCame() {
        assertThat(receiver.isReady()).isFalse();
        assertThatThrownBy(receiver::newReader)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("isReady()");
    }

    @Test
    void shouldSayThatTheWorldBecameAnother() {
        assertThat(receiver.packet(info(1, PoseLayout.PLAIN), 0)).isTrue();
        PoseLayout other = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.STEP)));
        assertThat(receiver.packet(info(2, other), 0)).isFalse();
        assertThat(receiver.problem())
                .hasValueSatisfying(text -> assertThat(text).contains("wheel", "connect anew"));
    }

    /** The receiver reports another protocol version in a sentence, because it cannot read the packets. */
    @Test
    void shouldSayThatTheSenderHasAnotherVersion() {
        assertThat(receiver.packet(ByteBuffer.allocate(40).put(0, (byte) 0x21), 0))
                .isFalse();
        assertThat(receiver.problem())
                .contains("the sender has another version of the stream than this side; use the same one on both");
    }

    @Test
    void shouldKeepTheInformationOfAStream() {
        PoseLayout layout = new PoseLayout(
                List.of(new Channel("Räder", Channel.Blending.ANGLE), new Channel("", Channel.Blending.STEP)));
        StreamInfo info = new StreamInfo(65_000, -(1L << 59), true, false, WireWorld.RATE, RemoteRig.FORMAT, 2, layout);
        ByteBuffer packet = ByteBuffer.allocate(200);
        info.write(packet);
        assertThat(StreamInfo.read(packet.flip())).isEqualTo(info);
        for (int length = 0; length < packet.limit(); length++) {
            StreamInfo read = StreamInfo.read(packet.duplicate().clear().limit(length));
            assertThat(read == null || !read.equals(info)).isTrue();
        }
    }

    @Test
    void shouldReportAcknowledgementsToTheirStreamOnly() {
        ArrivedPackets arrived = new ArrivedPackets();
        assertThat(arrived.add(65_534)).isZero();
        assertThat(arrived.add(1)).isEqualTo(2);
        assertThat(arrived.add(65_535)).isEqualTo(-1);
        assertThat(arrived.add(65_535)).isZero();
        ByteBuffer feedback = ByteBuffer.allocate(ArrivedPackets.BYTES);
        arrived.write(feedback, 7);
        List<Integer> numbers = new ArrayList<>();
        assertThat(ArrivedPackets.read(feedback.flip(), 7, numbers::add)).isTrue();
        assertThat(numbers).containsExactlyInAnyOrder(1, 65_535, 65_534);
        assertThat(ArrivedPackets.read(feedback.rewind(), 8, numbers::add)).isFalse();
        assertThat(ArrivedPackets.read(feedback.rewind().limit(20), 7, numbers::add))
                .isFalse();
        assertThat(numbers).hasSize(3);
        arrived.add(60_000); // so far back that the sender must have begun to count again
        arrived.write(feedback.clear(), 7);
        numbers.clear();
        ArrivedPackets.read(feedback.flip(), 7, numbers::add);
        assertThat(numbers).containsExactly(60_000);
    }

    @Test
    void shouldRefuseSettingsOutOfRange() {
        assertThatThrownBy(() -> new ReceiverSettings(0, 1, 0.9)).hasMessageContaining("at least 1 reader");
        assertThatThrownBy(() -> new ReceiverSettings(1, 1, Double.NaN)).hasMessageContaining("NaN");
    }
}
