package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.stress.HandoffStress.Plant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandoffStressTest {

    private static final long HANDOFFS = 1_000_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldFindNothing(int readers) throws Exception {
        Findings found = new HandoffStress(readers, 7, Plant.NONE).run(HANDOFFS, handoffs -> {});
        assertThat(found.isClean()).as(found.toString()).isTrue();
        assertThat(found.windows()).isPositive();
        assertThat(found.checks()).isGreaterThanOrEqualTo(found.windows());
    }

    @Test
    void shouldFindAPlantedFault() throws Exception {
        Findings found = new HandoffStress(1, 7, Plant.WRITE_AFTER_PUBLISH).run(HANDOFFS, handoffs -> {});
        assertThat(found.torn()).isPositive();
        assertThat(found.isClean()).isFalse();
    }

    @Test
    void shouldRefuseImpossibleNumbersOfReaders() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HandoffStress(0, 1, Plant.NONE))
                .withMessage("between 1 and 8 readers are possible, not 0");
    }
}
