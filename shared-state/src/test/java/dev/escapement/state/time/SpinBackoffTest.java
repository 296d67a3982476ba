package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinBackoffTest {

    private final SpinBackoff backoff = new SpinBackoff();

    @Test
    void shouldParkLongerAfterEachLossUntilSpinsAreCalm() {
        backoff.spun(SpinBackoff.LOST_NANOS);
        assertThat(backoff.beginWait()).as("spins after a single loss").isTrue();
        backoff.spun(SpinBackoff.LOST_NANOS);
        assertParks(SpinBackoff.FIRST_WAITS);
        spinWell(SpinBackoff.CALM_SPINS - 1);
        backoff.spun(SpinBackoff.LOST_NANOS);
        assertParks(2 * SpinBackoff.FIRST_WAITS);
        spinWell(SpinBackoff.CALM_SPINS);
        backoff.spun(SpinBackoff.LOST_NANOS);
        backoff.spun(SpinBackoff.LOST_NANOS);
        assertParks(SpinBackoff.FIRST_WAITS);
    }

    private void spinWell(int times) {
        for (int i = 0; i < times; i++) {
            backoff.spun(SpinBackoff.LOST_NANOS - 1);
        }
    }

    private void assertParks(int waits) {
        for (int i = 0; i < waits; i++) {
            assertThat(backoff.beginWait()).as("wait %d of %d", i, waits).isFalse();
        }
        assertThat(backoff.beginWait()).isTrue();
    }
}
