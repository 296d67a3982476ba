package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RollbacksTest {

    @Test
    void shouldFindNoDifferenceInWorldsOfBothEnginesThatSaveEachAndEachFourthTick() {
        StressReport report = Rollbacks.scenario(1, 1001, done -> {}).run(null); // 250 a world
        assertThat(report.heldInFull()).as(report.toString()).isTrue();
        assertThat(report.checkedInAll()).isGreaterThan(10_000);
    }

    /** Otherwise one of the ways would compare nothing. */
    @Test
    void shouldFindStateThatIsNotSavedInEachWayOfGoingBackAndNameWorldAndTick() {
        StringBuilder found = new StringBuilder();
        for (int seed = 0; seed < 30; seed++) {
            StressReport report = Rollbacks.scenario(seed, 1, done -> {}).run(Promise.SAME_AFTER_ROLLBACK);
            found.append(report.checks().get(0).example());
        }
        assertThat(found).contains("late input", "fork", "spring, every 1, world 0, ", "first differs in tick ");
    }
}
