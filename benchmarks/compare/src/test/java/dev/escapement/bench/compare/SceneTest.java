package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

class SceneTest {

    /** So that a picture that repeats a tick is seen to, and no error is the probe's own. */
    @Test
    void shouldTellTheTimeOfATickExactly() {
        for (TickRate rate : new TickRate[] {TickRate.hertz(100), TickRate.hertz(60)}) {
            for (long tick = 0; tick < 4000; tick++) {
                float x = Scene.METRONOME.x(tick);
                assertThat(Scene.METRONOME.simNanos(x, tick, rate)).isCloseTo(rate.nanosAt(tick), within(1L));
            }
        }
    }

    @Test
    void shouldLetABallFallAndBounceWithoutEnd() {
        double fall = Math.sqrt(2 * Ball.START_METRES / 9.81);
        for (double seconds = 0; seconds < fall; seconds += 0.01) {
            double height = Ball.START_METRES - 9.81 / 2 * seconds * seconds;
            assertThat(Ball.heightAfter(seconds)).isCloseTo(height, within(1e-9));
            assertThat(Ball.heightAfter(2 * fall - seconds)).as("rising").isCloseTo(height, within(1e-9));
            assertThat(Ball.heightAfter(20 * fall + seconds)).as("later").isCloseTo(height, within(1e-9));
        }
    }
}
