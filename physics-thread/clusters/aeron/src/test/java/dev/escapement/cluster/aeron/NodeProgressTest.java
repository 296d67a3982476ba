package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import io.aeron.cluster.ElectionState;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;

class NodeProgressTest {

    private static final long LIMIT = NodeProgress.MOST_SILENCE_NANOS;

    private final ManualClock clock = new ManualClock(5);
    private final NodeProgress progress = new NodeProgress(clock::nanoTime);

    /** The thread turns, and that is all. */
    private boolean isStuckAfter(long nanos) {
        assertThat(progress.stuck(0)).isEmpty();
        clock.advance(nanos);
        progress.turn();
        return progress.stuck(0).isPresent();
    }

    @Test
    void aThreadThatDoesNotComeBackIsStuckInAnyState() {
        progress.election(ElectionState.CLOSED, 0);
        assertThat(progress.stuck(0)).isEmpty();
        clock.advance(LIMIT);
        assertThat(progress.stuck(1)).isEmpty();
        clock.advance(1);
        assertThat(progress.stuck(2)).hasValue("the node has not got on for 30000 ms");
    }

    @Test
    void aStateThatIsReadForLongIsNotStuckAsLongAsSomeOfItComes() {
        var idle = progress.reading(NoOpIdleStrategy.INSTANCE);
        for (int i = 0; i < 100; i++) {
            idle.idle(1);
            assertThat(isStuckAfter(LIMIT)).isFalse();
        }
        idle.idle(0);
        idle.idle();
        assertThat(isStuckAfter(1)).isTrue();
    }

    @Test
    void aLogThatIsReplayedForLongIsNotStuckAsLongAsItGetsOn() {
        for (int i = 0; i < 100; i++) {
            progress.election(ElectionState.LEADER_REPLAY, i);
            assertThat(isStuckAfter(LIMIT)).isFalse();
        }
        for (int tick = 1; tick < 100; tick++) { // ticks take long
            clock.advance(LIMIT);
            progress.turn();
            assertThat(progress.stuck(tick)).isEmpty();
        }
        clock.advance(LIMIT + 1);
        progress.turn();
        assertThat(progress.stuck(99)).isPresent();
    }

    @Test
    void aNodeThatWaitsForOthersIsNotStuck() {
        for (ElectionState state : new ElectionState[] {
            ElectionState.LEADER_REPLAY, ElectionState.LEADER_INIT, ElectionState.INIT, ElectionState.CANVASS,
        }) {
            progress.election(state, 7);
            assertThat(isStuckAfter(state == ElectionState.LEADER_REPLAY ? 1 : 1000 * LIMIT))
                    .as("%s", state)
                    .isFalse();
        }
        progress.reading(NoOpIdleStrategy.INSTANCE).idle(1);
        assertThat(isStuckAfter(1000 * LIMIT)).isFalse();
    }

    @Test
    void whatCannotBeReplayedIsTriedOnlySoOften() {
        progress.election(ElectionState.FOLLOWER_REPLAY, 7);
        assertThat(progress.stuck(0)).isEmpty();
        for (int i = 0; i < NodeProgress.MOST_ERRORS; i++) {
            progress.error("error " + i);
            progress.election(i % 2 == 0 ? ElectionState.INIT : ElectionState.FOLLOWER_REPLAY, 7);
            assertThat(isStuckAfter(1)).isFalse();
        }
        progress.error("no such frame");
        assertThat(progress.stuck(0)).hasValueSatisfying(why -> assertThat(why).contains("with 101 errors: error 0"));
        progress.election(ElectionState.CLOSED, 7);
        assertThat(progress.stuck(0)).as("it has got on").isEmpty();
    }
}
