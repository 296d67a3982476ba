package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncTestCommandTest {

    @ParameterizedTest
    @CsvSource({"spring, 40, 50", "jolt, 30, 50", "JOLT, 0, 1"})
    void shouldFindThatTheStatesOfTheseEnginesAreWhole(String engine, int bodies, int ticks) {
        Executed test = Executed.of("replay", "--sync-test", engine, "--bodies", bodies, "--ticks", ticks);
        assertThat(test.exitCode()).as(test.err() + test.out()).isZero();
        assertThat(test.out())
                .contains(bodies + " bodies: " + ticks
                        + " ticks, each run twice from its saved state, led to the same states.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            replay --sync-test ode4j              | --sync-test ode4j cannot save its state
            replay --sync-test dyn4j              | --sync-test dyn4j cannot save its state
            replay --sync-test bullet             | --sync-test bullet cannot save its state
            replay --sync-test physx              | physx
            replay --sync-test spring --ticks 0   | --ticks must be between 1 and 1000000, but is 0
            replay --sync-test spring --bodies -1 | --bodies must be between 0 and 1000000, but is -1
            replay --sync-test spring --seconds 1 | --seconds
            replay --sync-test spring a.log       | --sync-test takes --bodies and --ticks alone
            replay --sync-test spring --window    | --sync-test takes --bodies and --ticks alone
            replay a.log --ticks 3                | --bodies and --ticks need --sync-test ENGINE
            replay                                | name a FILE that 'run --record FILE' wrote, or --sync-test ENGINE
            sync-test --engine spring             | 'sync-test' is part of 'replay' now
            """)
    void shouldRefuseBadInputInOneLine(String options, String says) {
        Executed refused = Executed.of((Object[]) options.split(" "));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).startsWith("escapement: ").contains(says);
        assertThat(refused.err().strip().lines()).hasSize(1);
        assertThat(refused.out()).isEmpty();
    }
}
