package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final NodeProgress progress = new NodeProgress(NODE, clock::nanoTime);

    private boolean isStuckAfter(long nanos) {
        assertThat(progress.stuck(0)).isEmpty();
        clock.advance(nanos);
        return progress.stuck(0).isPresent();
    }

    @Test
    void aTurnThatDoesNotEndIsStuckInAnyState() {
        for (ElectionState state : ElectionState.values()) {
            progress.turn(state, state.code()); // which comes from the log
            assertThat(isStuckAfter(LIMIT)).isFalse();
            clock.advance(1);
            assertThat(progress.stuck(0)).as("%s", state).get().asString().contains("made no progress for 30000 ms;");
        }
    }

    @Test
    void aLogThatIsReplayedForLongIsNotStuckAsLongAsItGetsOn() {
        for (int i = 0; i < 100; i++) {
            progress.turn(ElectionState.LEADER_REPLAY, i);
            assertThat(isStuckAfter(LIMIT)).isFalse();
        }
        for (int done = 1; done < 100; done++) { // ticks take long
            clock.advance(LIMIT);
            assertThat(progress.stuck(done)).isEmpty();
        }
        clock.advance(LIMIT);
        progress.turn(ElectionState.LEADER_REPLAY, 99);
        assertThat(progress.stuck(99)).isEmpty();
        clock.advance(1);
        assertThat(progress.stuck(99)).isPresent();
    }

    /** A thread of the node may hang for ever, while this is checked every few milliseconds. */
    @Test
    void aNodeThatIsStuckIsReportedOnce() {
        progress.turn(ElectionState.LEADER_REPLAY, 7);
        assertThat(progress.stuck(0)).isEmpty();
        clock.advance(LIMIT + 1);
        assertThat(progress.stuck(0)).isPresent();
        for (int i = 0; i < 3; i++) {
            clock.advance(LIMIT);
            assertThat(progress.stuck(0)).isEmpty();
        }
    }

    @Test
    void aNodeThatWaitsForOthersIsNotStuck() {
        progress.turn(ElectionState.LEADER_REPLAY, 7);
        progress.turn(ElectionState.LEADER_READY, 7);
        for (int turn = 0; turn < 10; turn++) {
            progress.turn(ElectionState.INIT, 7);
            assertThat(isStuckAfter(LIMIT)).isFalse();
        }
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

    /** A follower's silence, an error of ten seconds ago, and later errors do not hide the reason why a node has left. */
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
