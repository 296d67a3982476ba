package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BallTest {

    @Test
    void shouldBeAtTheSameHeightHoweverLongTheStepsWere() {
        Ball fine = new Ball();
        Ball coarse = new Ball();
        for (int second = 0; second < 30; second++) {
            for (int step = 0; step < 1000; step++) {
                fine.fly(0.001);
                assertThat(fine.height()).isBetween(0.0, Ball.START_METRES + 1e-9);
            }
            coarse.fly(1); // whole bounces in one step
            assertThat(coarse.height()).as("second %s", second).isCloseTo(fine.height(), within(1e-9));
        }
    }

    @Test
    void shouldBeOnTheFloorWhereItBounces() {
        for (double seconds : new double[] {0, 1, 14}) {
            double bounce = Ball.bounceAfter(seconds);
            Ball ball = new Ball();
            ball.fly(bounce);
            assertThat(ball.height()).isCloseTo(0, within(1e-9));
            assertThat(bounce).isBetween(seconds, seconds + 1.3); // from bounce to bounce
        }
    }

    @Test
    void shouldBeAtAnyMomentWhereItFliesTo() {
        Ball ball = new Ball();
        for (int i = 0; i < 1000; i++) {
            assertThat(Ball.heightAfter(i * 0.013)).isCloseTo(ball.height(), within(1e-9));
            ball.fly(0.013);
        }
    }
}
