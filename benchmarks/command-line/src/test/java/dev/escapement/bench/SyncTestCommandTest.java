package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncTestCommandTest {

    @ParameterizedTest
    @CsvSource({"spring, 40, 50", "jolt, 30, 50", "JOLT, 0, 1"})
    void shouldFindThatTheStatesOfTheseEnginesAreWhole(String engine, int bodies, int ticks) {
        Executed test = Executed.of("sync-test", "--engine", engine, "--bodies", bodies, "--ticks", ticks);
        assertThat(test.exitCode()).as(test.err() + test.out()).isZero();
        assertThat(test.out())
                .contains(bodies + " bodies: " + ticks
                        + " ticks, each run twice from its saved state, led to the same states.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --engine ode4j              | --engine ode4j cannot save its state
            --engine dyn4j              | --engine dyn4j cannot save its state
            --engine bullet             | --engine bullet cannot save its state
            --engine physx              | physx
            --engine spring --ticks 0   | --ticks must be between 1 and 1000000, but is 0
            --engine spring --bodies -1 | --bodies must be between 0 and 1000000, but is -1
            --engine spring --seconds 1 | --seconds
            """)
    void shouldRefuseBadInputInOneLine(String options, String says) {
        Executed refused = Executed.of((Object[]) ("sync-test " + options).split(" "));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).startsWith("escapement: ").contains(says);
        assertThat(refused.err().strip().lines()).hasSize(1);
        assertThat(refused.out()).isEmpty();
    }
}
