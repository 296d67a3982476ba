package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandoffStressTest {

    private static final long HANDOFFS = 1_000_000;

    private static Outcome run(int readers, @Nullable Promise planted) {
        return HandoffStress.scenario(readers, 7, HANDOFFS, handoffs -> {}).run(0, planted);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldFindNothing(int readers) {
        Outcome found = run(readers, null);
        assertThat(found.held()).as(found.toString()).isTrue();
        double windows = found.figures().get(0).value();
        assertThat(windows).isPositive();
        assertThat(found.figures().get(1).value()).isGreaterThanOrEqualTo(windows);
    }

    @Test
    void shouldFindAPlantedFault() {
        assertThat(run(1, Promise.WHOLE).foundBroken(Promise.WHOLE)).isTrue();
    }

    @Test
    void shouldRefuseImpossibleNumbersOfReaders() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandoffStress.scenario(0, 1, HANDOFFS, handoffs -> {}))
                .withMessage("between 1 and 8 readers are possible, not 0");
    }
}
