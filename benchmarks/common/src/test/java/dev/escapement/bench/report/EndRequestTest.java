package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndRequestTest {

    @Test
    void shouldBeMadeOnceForEachCommand() {
        for (int command = 0; command < 2; command++) {
            EndRequest.accept();
            assertThat(EndRequest.isMade()).isFalse();
            assertThat(EndRequest.make()).isTrue();
            assertThat(EndRequest.isMade()).isTrue();
            assertThat(EndRequest.make()).as("the second ends the process").isFalse();
        }
        EndRequest.accept();
    }

    @ParameterizedTest
    @CsvSource({
        "benchmarks/target/escapement.jar, java -jar benchmarks/target/escapement.jar",
        "classes:escapement.jar, escapement"
    })
    void shouldNameTheProgramAsItWasStarted(String classPath, String program) {
        assertThat(ConsoleCommand.program(classPath)).isEqualTo(program);
    }
}
