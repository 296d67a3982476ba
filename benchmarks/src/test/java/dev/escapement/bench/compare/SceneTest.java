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
                float x = TickedScene.METRONOME.x(tick);
                assertThat(TickedScene.METRONOME.simNanos(x, tick, rate)).isCloseTo(rate.nanosAt(tick), within(1L));
            }
        }
    }

    @Test
    void shouldTellTheTimeOfIrregularSteps() {
        long[] spent = {0};
        SteppedScene scene = new SteppedScene(LoadProfile.HEAVY, counting(spent));
        scene.step(0.25);
        scene.step(0.001);
        Ball ball = new Ball();
        ball.fly(0.251);
        assertThat(scene.simNanos()).isEqualTo(251_000_000);
        assertThat(scene.ballHeight()).isCloseTo(ball.height(), within(1e-12));
        assertThat(spent[0]).isEqualTo(LoadProfile.HEAVY.costNanos(1) + LoadProfile.HEAVY.costNanos(2));
    }

    private static WorkClock counting(long[] spent) {
        return new WorkClock() {
            @Override
            public void spend(long nanos) {
                spent[0] += nanos;
            }

            @Override
            public long nanoTime() {
                return spent[0];
            }
        };
    }
}
