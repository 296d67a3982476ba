package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
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
    void shouldHoldTheTruthInNineteenOfTwentyCases() {
        SplittableRandom random = new SplittableRandom(1);
        int held = 0;
        for (int i = 0; i < 2000; i++) {
            Estimate estimate = Estimate.of(noisy(random, 3), noisy(random, 2));
            held += estimate.low() <= 1.5 && estimate.high() >= 1.5 ? 1 : 0;
        }
        assertThat(held / 2000.0).isBetween(0.93, 0.97);
    }

    @Test
    void shouldHaveNoErrorWhereForksAgree() {
        assertThat(Estimate.of(Estimate.logs(6, 6), Estimate.logs(2, 2)))
                .satisfies(estimate -> assertThat(estimate.low()).isEqualTo(estimate.high()))
                .satisfies(estimate -> assertThat(estimate.ratio()).isCloseTo(3, within(1e-12)));
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

    private static double[] noisy(SplittableRandom random, double middle) {
        double[] forks = new double[5];
        for (int i = 0; i < forks.length; i++) {
            double sum = 0;
            for (int k = 0; k < 12; k++) {
                sum += random.nextDouble() - 0.5; // nearly normal
            }
            forks[i] = middle * Math.exp(0.1 * sum);
        }
        return Estimate.logs(forks);
    }
}
