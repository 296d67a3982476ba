package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.TickRate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetronomeTest {

    private static final long TENTH_OF_A_MICROSECOND_OR_SO = 700;

    private final Metronome metronome = new Metronome(20);

    @ParameterizedTest
    @ValueSource(strings = {"100", "60", "60000/1001"})
    void shouldReportTheTimeThatIsDrawn(String hertz) {
        TickRate rate = TickRate.parse(hertz);
        for (long tick = 1; tick < 3 * Metronome.TICKS_PER_SWEEP; tick++) {
            for (float alpha : new float[] {0, 0.25f, 0.9f}) {
                float from = metronome.x(tick);
                float drawn = from + (metronome.x(tick + 1) - from) * alpha;
                double expected = (tick + (double) alpha) * 1e9 * rate.dtSeconds();
                assertThat((double) metronome.simNanos(drawn, tick, rate))
                        .isCloseTo(expected, within(2.0 * TENTH_OF_A_MICROSECOND_OR_SO));
            }
        }
    }
}
