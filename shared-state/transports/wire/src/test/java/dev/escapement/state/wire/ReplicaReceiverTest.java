package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a world with several senders, of which one sends at a time, on virtual time. */
class ReplicaReceiverTest {

    /** The picture stays while no sender sends, and resumes with the next one: no body vanishes, and none jumps. */
    @ParameterizedTest
    @ValueSource(ints = {1, 15})
    void shouldResumeWithAReplica(int seed) {
        RemoteRig rig = new RemoteRig(seed, 200, 0.5);
        rig.isReplica = true;
        rig.restartServer();
        rig.run(3000);
        rig.maxMissing = 0;
        rig.largestStep = 0;
        for (int time = 1; time <= 3; time++) {
            int before = rig.ticks;
            rig.goOverToAReplica(900, 0);
            assertThat(rig.ticks - before).isLessThan(35); // predictions last a quarter of a second
            rig.run(1500);
            assertThat(rig.ticks - before).isGreaterThan(130);
            rig.requireWell(6);
            assertThat(rig.receiver.metric(ReceiverMetric.STREAMS)).isEqualTo(1 + time);
        }
        assertThat(rig.maxMissing).isLessThan(6);
        // A prediction for 0.35 s at up to 6 m/s may be wrong; a tick corrects less than 0.3 of that error.
        assertThat(rig.largestStep).isLessThan(0.3 * 6 * 0.35);
        assertThat(rig.receiver.tickShift()).isPositive();
    }

    /** A replica 4 s behind is refused, even if the shown sender falls silent. A restarted world is shown, as another world. */
    @ParameterizedTest
    @ValueSource(ints = {1, 15})
    void shouldNotGoBackToAReplicaThatIsBehind(int seed) {
        RemoteRig rig = new RemoteRig(seed, 200, 0.5);
        rig.isReplica = true;
        rig.restartServer();
        rig.run(6000);
        rig.goOverToAReplica(900, 0);
        rig.run(1500);
        rig.maxMissing = 0;
        ByteBuffer old = ByteBuffer.allocate(64);
        new StreamInfo(5, 200, false, true, WireWorld.RATE, RemoteRig.FORMAT, 0, PoseLayout.PLAIN).write(old);
        old.flip();
        for (int time = 0; time < 80; time++) {
            rig.cut = time >= 40;
            assertThat(rig.receiver.packet(old.duplicate(), rig.localNanos())).isFalse();
            rig.run(100);
        }
        assertThat(rig.maxMissing).isLessThan(6);
        assertThat(rig.receiver.metric(ReceiverMetric.STREAMS)).isEqualTo(2);
        rig.cut = false;
        rig.restartServer();
        rig.run(10_000);
        assertThat(rig.receiver.metric(ReceiverMetric.STREAMS)).isEqualTo(3);
        rig.requireWell(6);
    }

    /** The picture stands still until the replica sends its next tick, because the replica's newest tick is an old one. */
    @ParameterizedTest
    @ValueSource(ints = {2, 18})
    void shouldStandUntilAReplicaTicks(int seed) {
        RemoteRig rig = new RemoteRig(seed, 20, 0.5);
        rig.isReplica = true;
        rig.restartServer();
        rig.run(3000);
        for (int time = 1; time <= 3; time++) {
            long filled = rig.filledTicks();
            rig.goOverToAReplica(900, 120);
            rig.run(1500);
            assertThat(rig.filledTicks() - filled)
                    .isLessThan(27); // predictions for a quarter of a second, before the new sender was heard
            rig.requireWell(6);
        }
    }
}
