package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.TickRate;
import java.nio.LongBuffer;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models runs of ten seconds at 100 Hz and 60 frames a second, whose ticks were published 2 ms after they were due. */
class BaselineTest {

    private static final long MILLI = 1_000_000;
    private static final Offset<Double> EXACT = within(20.0);
    private static final TickRate RATE = TickRate.hertz(100);
    private static final TickRate DISPLAY = TickRate.hertz(60);

    /**
     * The newest snapshot moves by 10 or 20 ms in a frame of 16.7 ms, whatever the steps take. The usual loop blends, but a step of 20 ms
     * makes it miss a slot, and the picture moves by 33.3 ms, a slot after it should have.
     */
    @ParameterizedTest
    @CsvSource({"1, 0", "20, 16667"})
    void shouldModelTheNewestSnapshotAndAUsualLoop(long everyTenthStepMillis, double usualMicros) {
        LongBuffer steps = LongBuffer.allocate(2 * 1000);
        for (int tick = 1; tick <= 1000; tick++) {
            steps.put((tick % 10 == 0 ? everyTenthStepMillis : 1) * MILLI).put(77 + RATE.nanosAt(tick) + 2 * MILLI);
        }
        LongBuffer slots = LongBuffer.allocate(2 * 600);
        for (int frame = 0; frame < 600; frame++) {
            slots.put(77 + DISPLAY.nanosAt(frame)).put(DISPLAY.nanosAt(frame) + 5 * MILLI);
        }
        Baseline modelled = Objects.requireNonNull(Baseline.of(RATE, steps.flip(), slots.flip()));
        assertThat(modelled.newestSnapshotErrorMicros().p99()).isCloseTo(6667, EXACT);
        assertThat(modelled.newestSnapshotErrorMicros().mean()).isCloseTo(4444, EXACT);
        assertThat(modelled.usualLoopErrorMicros().p99()).isCloseTo(usualMicros, EXACT);
    }

    @Test
    void shouldModelNothingFromAFewFrames() {
        assertThat(Baseline.of(RATE, LongBuffer.allocate(100), LongBuffer.allocate(38)))
                .isNull();
        assertThat(Baseline.of(RATE, LongBuffer.allocate(2), LongBuffer.allocate(100)))
                .isNull();
    }
}
