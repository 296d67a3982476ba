package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StandstillTest {

    private static final long MILLI = 1_000_000;

    private final Standstill still = new Standstill();

    @Test
    void shouldAddUpWhileACountStays() {
        assertThat(still.look(7, 5 * MILLI)).isZero();
        assertThat(still.look(7, 25 * MILLI)).isEqualTo(20 * MILLI);
        assertThat(still.look(7, 65 * MILLI)).isEqualTo(60 * MILLI);
        assertThat(still.look(6, 85 * MILLI)).isZero();
        assertThat(still.look(6, 86 * MILLI)).isEqualTo(MILLI);
    }

    /** A program that was stopped for an hour has looked once. */
    @Test
    void shouldCountLittleOfATimeWithoutLooks() {
        still.look(7, 0);
        assertThat(still.look(7, 3_600_000 * MILLI)).isEqualTo(200 * MILLI);
    }
}
