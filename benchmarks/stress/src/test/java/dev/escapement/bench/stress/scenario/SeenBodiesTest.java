package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

class SeenBodiesTest {

    private static final int EMPTY = 0;

    @Test
    void shouldAcceptBodiesThatStayGoAndMakeRoomForOthers() {
        assertThat(seen(tick(1, 71), tick(1, 71), tick(3, 72), tick(EMPTY, 0), tick(5, 73))
                        .foundBroken(Promise.NEVER_REUSED))
                .isFalse();
    }

    @Test
    void shouldAcceptASlotThatWasNotSeenEmptyAndOneThatIsNotThereForAWhile() {
        assertThat(seen(alone(7, 71), alone(11, 72), nobody(), alone(13, 73)).foundBroken(Promise.NEVER_REUSED))
                .isFalse();
    }

    @Test
    void shouldFindAnIdThatAnotherBodyHas() {
        Outcome outcome = seen(tick(3, 71), tick(3, 72));
        assertThat(outcome.foundBroken(Promise.NEVER_REUSED)).isTrue();
        assertThat(outcome.checks().get(0).example()).contains("the id of body 72, 0#3, is that of an earlier body");
    }

    @Test
    void shouldFindABodyThatComesBack() {
        assertThat(seen(tick(3, 71), tick(EMPTY, 0), tick(3, 71)).foundBroken(Promise.NEVER_REUSED))
                .as("after nobody")
                .isTrue();
        assertThat(seen(tick(3, 71), tick(5, 72), tick(3, 71)).foundBroken(Promise.NEVER_REUSED))
                .as("after another")
                .isTrue();
        assertThat(seen(alone(3, 71), nobody(), alone(3, 71)).foundBroken(Promise.NEVER_REUSED))
                .as("after the slot was not there")
                .isTrue();
    }

    @Test
    void shouldCompareGenerationsThatWrapAround() {
        assertThat(seen(tick(Integer.MAX_VALUE, 71), tick(Integer.MIN_VALUE + 1, 72))
                        .foundBroken(Promise.NEVER_REUSED))
                .isFalse();
        assertThat(seen(tick(Integer.MAX_VALUE, 71), tick(Integer.MIN_VALUE + 1, 72), tick(Integer.MAX_VALUE, 71))
                        .foundBroken(Promise.NEVER_REUSED))
                .isTrue();
    }

    private static Outcome seen(Snapshot... snapshots) {
        return Tried.of(Promise.NEVER_REUSED, trial -> {
            Churn.SeenBodies bodies = new Churn.SeenBodies(trial);
            for (Snapshot snapshot : snapshots) {
                bodies.see(snapshot);
            }
        });
    }

    private static Snapshot nobody() {
        return new Snapshot(1, PoseLayout.PLAIN);
    }

    private static Snapshot alone(int generation, long userData) {
        Snapshot snapshot = nobody();
        snapshot.resize(1);
        snapshot.bodyBlock(0).spawn(0, generation, 1, userData);
        return snapshot;
    }

    /** Slot 1 has the same body all the time, so that slot 0 is there even if it is empty. */
    private static Snapshot tick(int generation, long userData) {
        Snapshot snapshot = new Snapshot(2, PoseLayout.PLAIN);
        snapshot.resize(2);
        if (generation != EMPTY) {
            snapshot.bodyBlock(0).spawn(0, generation, 1, userData);
        }
        snapshot.bodyBlock(0).spawn(1, 1, 1, 99);
        return snapshot;
    }
}
