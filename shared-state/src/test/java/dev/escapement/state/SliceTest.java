package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {

    @Test
    void shouldRepeatTheFailedSeedsOfATest() {
        List<String> lines = List.of(
                "# why", "SendersTest 20261130017 a lost key", "SendersTestOfMore 3 no", "SendersTest 4 a hang");
        assertThat(Slice.failed("SendersTest", lines)).containsExactly(20_261_130_017L, 4L);
        long offset = Slice.offset(System.getenv().getOrDefault("SEEDS", "0"));
        assertThat(new Slice(2, 8).seeds(24, SliceTest.class).toArray())
                .containsExactly(offset + 2, offset + 10, offset + 18);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SendersTest 17", "SendersTest x a hang", "SendersTest 1234567890123 a hang", ""})
    void shouldRefuseAFailedSeedThatItCannotRead(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slice.failed("SendersTest", List.of(line)))
                .withMessageEndingWith("but was " + line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1234567890123", "monday"})
    void shouldRefuseSeedsOutOfRange(String seeds) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slice.offset(seeds))
                .withMessage("SEEDS must be a number from 0 to 999999999999, but was " + seeds);
    }
}
