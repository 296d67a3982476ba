package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateTest {

    /** Two degrees of freedom, whose 97.5% point of Student's t is 4.302653 in every table. */
    @Test
    void shouldBeWelchsIntervalOfTheLogarithms() {
        Estimate estimate =
                Estimate.of(Estimate.logs(Math.exp(1), Math.exp(3)), Estimate.logs(Math.exp(0), Math.exp(2)));
        assertThat(Math.log(estimate.ratio())).isCloseTo(1, within(1e-12));
        assertThat(Math.log(estimate.low())).isCloseTo(1 - 4.302653 * Math.sqrt(2), within(1e-5));
        assertThat(Math.log(estimate.high())).isCloseTo(1 + 4.302653 * Math.sqrt(2), within(1e-5));
    }

    @Test
    void shouldRefuseWhatHasNoErrorBar() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Estimate.of(Estimate.logs(1), Estimate.logs(1, 2)))
                .withMessageContaining("2 forks or more, but there are 1 and 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Estimate.logs(1, 0))
                .withMessageContaining("[1.0, 0.0]");
    }
}
