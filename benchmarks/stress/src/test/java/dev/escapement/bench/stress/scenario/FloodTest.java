package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tenth of a second of a flood. Its speed does not matter. */
class FloodTest {

    private static final int PER_SECOND = 200_000;
    private static final long NANOS = 100_000_000;

    @Test
    void shouldAddUpInBothRings() {
        Outcome outcome = Flood.scenario(3, PER_SECOND).run(NANOS, null);
        assertThat(outcome.held()).as(outcome.toString()).isTrue();
        assertThat(value(outcome, "room")).isEqualTo(4096);
        assertThat(value(outcome, "offered")).isEqualTo(20_000);
        assertThat(value(outcome, "small ring room")).isEqualTo(256);
        assertThat(value(outcome, "small ring offered")).isEqualTo(2_000);
        assertThat(value(outcome, "small ring max in a tick")).isBetween(1.0, 256.0);
    }

    private static double value(Outcome outcome, String name) {
        return outcome.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "100, 2, 1",
        "102400, 2048, 128",
        "102500, 4096, 128",
        "1000000, 32768, 1024",
        "10000000, 262144, 16384"
    })
    void shouldHoldTwoTicksOrFarLessThanOne(int perSecond, int ample, int tooSmall) {
        assertThat(Flood.ampleCapacity(perSecond)).isEqualTo(ample);
        assertThat(Flood.tooSmallCapacity(perSecond)).isEqualTo(tooSmall);
    }
}
