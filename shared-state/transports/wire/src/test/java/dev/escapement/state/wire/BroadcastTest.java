package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests receivers that do not answer, on virtual time. Their network keeps the order of packets, and loses all of them or none. */
class BroadcastTest {

    @Test
    void shouldShowWhatTheSenderHasWithoutAnAnswer() {
        RemoteRig rig = RemoteRig.broadcast(1, 200, 0.5);
        rig.run(10_000);
        assertThat(rig.filledTicks()).isLessThan(4);
        assertThat(rig.ticks).isGreaterThan(950);
        rig.requireWell(6);
        assertThat(rig.largestStep).isLessThan(0.2);
    }

    @ParameterizedTest
    @CsvSource({"5, 300", "6, 1000", "7, 3700"})
    void shouldHaveTheWholeWorldAfterARefresh(int seed, int lateMillis) {
        RemoteRig rig = RemoteRig.broadcast(seed, 2000, 0.5);
        rig.cut = true;
        rig.run(lateMillis);
        rig.cut = false;
        rig.run(1500);
        rig.requireWell(12);
        assertThat(rig.ticks - rig.predictedTicks).isGreaterThan(30);
        assertThat(rig.longestBytes).isBetween(1000, SenderSession.MAX_PACKET_BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 17})
    void shouldShowAWorldAtRestToALateReceiver(int seed) {
        RemoteRig rig = RemoteRig.broadcast(seed, 200, 0.5);
        rig.cut = true;
        rig.run(500);
        rig.worldStands = true;
        rig.run(500);
        rig.cut = false;
        rig.run(3000);
        assertThat(rig.shownBodies).isEqualTo(rig.world.now.bodies().count());
        assertThat(rig.isPredicted).isFalse();
        assertThat(rig.ticksBehind()).isLessThanOrEqualTo(0);
        rig.worldStands = false;
        rig.run(3000);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
        assertThat(rig.largestTrueError).isLessThan(RemoteRig.BOUND);
    }

    /** The receiver misses more than 32,768 packets, so their 16-bit numbers no longer show which packet is newer. */
    @Test
    void shouldResumeAfterNumbersHaveComeHalfRound() {
        RemoteRig rig = RemoteRig.broadcast(5, 10, 0.5);
        rig.run(3000);
        rig.cut = true;
        rig.run(340_000);
        rig.cut = false;
        rig.run(6000);
        assertThat(rig.ticksBehind()).isBetween(0L, 12L);
    }

    /** At 1/1000 the next tick is 10 s away, but the speed may change within it. */
    @Test
    void shouldLookAgainSoonInSlowMotion() {
        SnapshotExchange exchange = new SnapshotExchange(2, 1, 1, WireWorld.RATE, PoseLayout.PLAIN, () -> 0);
        Timeline timeline = new Timeline(WireWorld.RATE);
        timeline.startAt(0, 0, new TimeScale(1, 1000));
        for (int tick = 1; tick <= 2; tick++) {
            exchange.writer().nextSnapshot().startTick(tick, timeline.dueNanos(tick));
            exchange.writer().publish(timeline, timeline.dueNanos(tick));
        }
        SnapshotSender sender = new SnapshotSender(exchange.attach(), RemoteRig.FORMAT, 1);
        long nowNanos = timeline.dueNanos(2);
        assertThat(sender.run(nowNanos) - nowNanos).isBetween(1L, 10_000_000L);
    }
}
