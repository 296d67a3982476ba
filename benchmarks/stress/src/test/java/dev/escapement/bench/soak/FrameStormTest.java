package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.bench.stress.trial.Check;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrameStormTest {

    @Test
    void shouldFailWhenAVisitorThrows() {
        Check comeBack = new Check();
        FrameStorm.letVisit(comeBack, () -> {});
        assertThatIllegalStateException()
                .isThrownBy(() -> FrameStorm.letVisit(comeBack, () -> {
                    throw new AssertionError("planted");
                }))
                .withMessageContaining("storm-visitor")
                .withMessageContaining("planted");
        assertThat(comeBack.checked()).isEqualTo(1); // one that threw is no check
        assertThat(comeBack.broken()).isZero();
    }
}
