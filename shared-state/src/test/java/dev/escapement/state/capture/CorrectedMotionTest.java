package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorrectedMotionTest {

    private float z;
    private float w;
    private final Capture capture = new Capture(
            poses -> {
                poses.bodyCount(1);
                poses.set(0, 0, 0, 0, 0, 0, z, w);
            },
            PoseLayout.PLAIN,
            TickRate.hertz(100),
            1);

    private MotionBreaks correct(float wrongZ, float wrongW, float rightZ, float rightW) throws Exception {
        Snapshot wrong = capture(1, null, wrongZ, wrongW);
        z = rightZ;
        w = rightW;
        capture.captureShadow(wrong);
        return capture(2, wrong, rightZ, rightW).motion(0).breaks();
    }

    private Snapshot capture(long tick, @Nullable Snapshot published, float newZ, float newW) throws Exception {
        z = newZ;
        w = newW;
        WritableSnapshot snapshot = new WritableSnapshot(1, PoseLayout.PLAIN);
        snapshot.startTick(tick, 0);
        capture.captureInto(snapshot, published);
        return snapshot;
    }

    @Test
    void shouldSayByHowMuchABodyWasTurnedWrongly() throws Exception {
        MotionBreaks breaks = correct(0.6f, 0.8f, 0, 1);
        assertThat(breaks.count()).isEqualTo(1);
        assertThat(breaks.kind(0)).isEqualTo(MotionBreaks.Kind.CORRECTED_TURN);
        assertThat(breaks.z(0)).isBetween(1.28f, 1.29f);
    }

    /** Readers divide by the length of the turn, in floats. */
    @ParameterizedTest
    @ValueSource(floats = {Float.MIN_VALUE, 1e-40f, 1e-39f})
    void shouldSayNothingOfATurnThatIsZeroAsAFloat(float tiny) throws Exception {
        assertThat(correct(tiny, 1, tiny, 1 - Math.ulp(0.5f)).count()).isZero();
    }
}
