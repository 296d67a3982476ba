package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloodCommandTest {

    private static Executed flood(String arguments) {
        return Executed.of((Object[]) ("stress flood " + arguments).split(" "));
    }

    @Test
    void shouldSayThatAllPromisesHeld() {
        Executed executed = flood("--seconds 1 --rate 20000 --producers 3");
        assertThat(executed.out()).contains("room 512,", "offered 20,000,", "1 scenario held in ");
        assertThat(executed.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --seconds 0             | --seconds must be between 1 and 3600, but is 0
            --seconds 3601          | but is 3601
            --seconds 1.5           | 1.5
            --producers 0           | --producers must be between 1 and 64, but is 0
            --producers 65          | but is 65
            --rate 3                | --rate must be between 4 and 10000000, but is 3
            --rate 10000001         | but is 10000001
            --plant lose            | --plant
            --capacity 7            | --capacity
            """)
    void shouldRefuseBadInputInOneLine(String arguments, String says) {
        Executed.assertRefused(says, (Object[]) ("stress flood " + arguments).split(" "));
    }
}
