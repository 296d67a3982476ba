package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.time.ManualClock;
import io.aeron.cluster.ElectionState;
import io.aeron.exceptions.AeronEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeProgressTest {

    private static final ClusterNode NODE =
            ClusterNode.of(0, List.of("localhost"), Path.of("folder"), ModelCluster.RUN);
    private static final long LIMIT = NodeProgress.MAX_SILENCE_NANOS;

    private final ManualClock clock = new ManualClock(5);
    private long endOfLog = -1;
    private final NodeProgress progress = new NodeProgress(NODE, clock::nanoTime, () -> endOfLog);

    private boolean isStuckAfter(long nanos) {
        assertThat(progress.stuck(0)).isEmpty();
        clock.advance(nanos);
        return progress.stuck(0).isPresent();
    }

    @Test
    void anEndlessTurnIsStuckInAnyState() {
        for (ElectionState state : ElectionState.values()) {
            progress.turn(state, state.code()); // another position than before, which is progress
            assertThat(isStuckAfter(LIMIT)).isFalse();
            clock.advance(1);
            assertThat(progress.stuck(0)).as("%s", state).get().asString().contains("made no progress for 30000 ms;");
            clock.advance(LIMIT);
            assertThat(progress.stuck(0)).as("%s was reported", state).isEmpty();
        }
    }

    /** Aeron stops at some damaged entries after an error or two, and retries at others. */
    @Test
    void aDamagedEntryIsReportedSoon() {
        progress.turn(ElectionState.LEADER_REPLAY, 7);
        assertThat(progress.stuck(0)).isEmpty();
        progress.error(new AeronEvent("CRC checksum mismatch at position=5728"));
        assertThat(isStuckAfter(NodeProgress.MAX_DAMAGED_NANOS)).isFalse();
        clock.advance(1);
        assertThat(progress.stuck(0)).isPresent();
        progress.turn(ElectionState.LEADER_REPLAY, 8);
        assertThat(isStuckAfter(LIMIT)).as("it goes on, and the error is past").isFalse();
    }

    @Test
    void aReplayThatGetsOnIsNotStuck() {
        for (int i = 0; i < 100; i++) {
            progress.turn(ElectionState.LEADER_REPLAY, i);
            assertThat(isStuckAfter(LIMIT)).isFalse();
        }
        for (int done = 1; done < 100; done++) { // the log's position stays, but ticks run
            clock.advance(LIMIT);
            assertThat(progress.stuck(done)).isEmpty();
        }
        clock.advance(LIMIT);
        progress.turn(ElectionState.LEADER_REPLAY, 99);
        assertThat(progress.stuck(99)).isEmpty();
        clock.advance(1);
        assertThat(progress.stuck(99)).isPresent();
    }

    /** A node without a majority is not stuck, even if the only other living node dies before the two elect a leader. */
    @Test
    void aNodeThatFindsNoMajorityIsNotStuck() {
        for (ElectionState before : List.of(ElectionState.INIT, ElectionState.FOLLOWER_REPLAY)) {
            progress.turn(before, 7);
            for (int second = 0; second < 100; second++) {
                progress.turn(ElectionState.CANVASS, 7);
                assertThat(isStuckAfter(1_000_000_000)).isFalse();
            }
        }
        progress.turn(ElectionState.LEADER_READY, 7);
        progress.turn(ElectionState.INIT, 7);
        assertThat(isStuckAfter(LIMIT)).isFalse();
        assertThat(progress.whyEnded()).hasMessage("the node has left the cluster");
    }

    @Test
    void whatCannotBeReplayedIsTriedOnlySoOften() {
        progress.turn(ElectionState.FOLLOWER_REPLAY, 7);
        assertThat(progress.stuck(0)).isEmpty();
        for (int i = 0; i < NodeProgress.MAX_ERRORS; i++) {
            progress.error(new IllegalStateException("no such frame"));
            progress.turn(i % 2 == 0 ? ElectionState.INIT : ElectionState.FOLLOWER_REPLAY, 7);
            assertThat(isStuckAfter(1)).isFalse();
        }
        progress.error(new IllegalStateException("no such frame"));
        assertThat(progress.stuck(0)).get().asString().contains("with 101 errors: no such frame;");
        progress.turn(ElectionState.CLOSED, 7);
        assertThat(progress.stuck(0)).as("it has made progress").isEmpty();
    }

    /**
     * A node that has run ticks that a new leader lacks must end. Otherwise it would wait for ever, with a world that no other node has.
     */
    @Test
    void shouldEndANodeWithTicksThatALeaderLacks() {
        progress.turn(ElectionState.CLOSED, 960);
        endOfLog = 960;
        progress.turn(ElectionState.INIT, 960);
        progress.turn(ElectionState.CANVASS, 960);
        progress.turn(ElectionState.FOLLOWER_BALLOT, 960);
        endOfLog = 896; // Aeron has truncated the log, and begins anew
        progress.turn(ElectionState.INIT, 960);
        assertThatIllegalStateException()
                .isThrownBy(() -> progress.turn(ElectionState.CANVASS, 960))
                .withMessage(
                        "a leader was elected whose log ends at position 896, and node 0 has run what was committed up"
                                + " to position 960; start it again: it then runs what the cluster has, or empty folder");
    }

    @Test
    void shouldStartWithAStateNewerThanTheLog() {
        endOfLog = 896;
        progress.turn(ElectionState.INIT, 960);
        progress.turn(ElectionState.CANVASS, 960);
        assertThat(progress.hasJoined()).isFalse();
    }

    /**
     * A node has more time to join a leader than a heartbeat timeout, because copying a distant log takes longer. Nevertheless a silent
     * leader is replaced soon.
     */
    @Test
    void shouldGiveNodesTimeToJoinADistantLeader() {
        long timeout = NODE.failover().heartbeatTimeoutNanos;
        for (ElectionState before :
                List.of(ElectionState.INIT, ElectionState.LEADER_LOG_REPLICATION, ElectionState.CLOSED)) {
            progress.turn(before, 7);
            progress.turn(ElectionState.CANVASS, 7);
            assertThat(progress.patienceNanos()).isEqualTo(timeout);
        }
        progress.turn(ElectionState.FOLLOWER_BALLOT, 7); // the leader may be elected within this pass of the loop
        assertThat(progress.patienceNanos()).isEqualTo(NodeProgress.MAX_JOIN_NANOS);
        progress.turn(ElectionState.FOLLOWER_LOG_REPLICATION, 7);
        progress.turn(ElectionState.CANVASS, 7);
        assertThat(progress.patienceNanos()).as("it tries again").isEqualTo(NodeProgress.MAX_JOIN_NANOS);
        Failover near = Failover.ONE_RACK; // must wait less: a leader may die while a node joins it
        NodeProgress rack = new NodeProgress(
                new ClusterNode(0, NODE.hosts(), NODE.firstPort(), NODE.folder(), NODE.run(), NODE.leadNanos(), near),
                clock::nanoTime,
                () -> endOfLog);
        rack.turn(ElectionState.FOLLOWER_LOG_REPLICATION, 7);
        rack.turn(ElectionState.CANVASS, 7);
        assertThat(rack.patienceNanos()).isBetween(7 * near.electionTimeoutNanos, 500_000_000L);
    }

    /**
     * A node that catches up counts as following a leader, because over distance it may catch up for ever. Other nodes must not count it as
     * joined before it has all committed entries.
     */
    @Test
    void shouldFollowALeaderWhileItCatchesUp() {
        progress.turn(ElectionState.FOLLOWER_CATCHUP_AWAIT, 7);
        assertThat(progress.knowsLeader()).isFalse();
        progress.turn(ElectionState.FOLLOWER_CATCHUP, 7);
        assertThat(progress.knowsLeader()).isTrue();
        assertThat(progress.hasJoined()).isFalse();
        progress.turn(ElectionState.CLOSED, 7);
        assertThat(progress.knowsLeader()).isTrue();
        assertThat(progress.hasJoined()).isTrue();
        progress.turn(ElectionState.CANVASS, 7);
        assertThat(progress.knowsLeader()).isFalse();
    }

    /**
     * The reported reason is the first recent error. Neither a follower's silence, nor an error of ten seconds ago, nor a later error is
     * reported instead.
     */
    @Test
    void theFirstErrorOfThoseThatAreRecentIsReported() {
        progress.turn(ElectionState.LEADER_READY, 7);
        assertThat(progress.whyEnded()).hasMessage("the node has left the cluster");
        progress.error(new IllegalStateException("unknown host"));
        clock.advance(NodeProgress.RECENT_NANOS);
        progress.error(new AeronEvent("a follower is silent"));
        progress.error(new IOException("no space left on device"));
        clock.advance(1);
        progress.error(new IllegalStateException("the log is not recorded any more"));
        assertThat(progress.whyEnded()).hasToString("java.io.IOException: no space left on device");
        clock.advance(NodeProgress.RECENT_NANOS - 1);
        assertThat(progress.whyEnded()).hasMessage("the node has left the cluster");
    }
}
