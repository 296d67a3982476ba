package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {

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
