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
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1234567890123", "monday"})
    void shouldRefuseWhatIsNoSeed(String seed) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slice.offset(seed))
                .withMessage("SEEDS must be a number from 0 to 999999999999, but was " + seed);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slice.failed("SendersTest", List.of("SendersTest " + seed + " a hang")))
                .withMessageEndingWith("but was SendersTest " + seed + " a hang");
    }
}
