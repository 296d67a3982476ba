package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireRunTest {

    @Test
    void shouldRunTheSameFromTheSameSeed() {
        List<Long> traces = new ArrayList<>();
        for (long seed : new long[] {7, 7, 8}) {
            TrialRun.of(WireRun.scenario(seed, traces::add), 0, null);
        }
        assertThat(traces.get(1)).isEqualTo(traces.get(0));
        assertThat(traces.get(2)).isNotEqualTo(traces.get(0));
    }

    /**
     * What was found: input that overtook earlier input (26); a picture that was predicted for seconds after a clock was set ahead (18, 162,
     * 2079), while another client was started again (178); a body that jumped to its truth because a later jump of it was known (11819), or
     * because it had just come (61632); time that stood still over the end of a clock's numbers (20574).
     */
    @ParameterizedTest
    @ValueSource(longs = {18, 26, 162, 178, 2079, 11_819, 20_574, 61_632})
    void shouldHoldWhatWasBrokenOnce(long seed) {
        Outcome outcome =
                TrialRun.of(WireRun.scenario(seed, trace -> {}), 0, null).outcome();
        assertThat(outcome.reason()).isEmpty();
        for (Promise promise : WireRun.PROMISES) {
            assertThat(outcome.broken(promise)).as(outcome.toString()).isZero();
        }
    }

    /** In worlds whose format reaches all places, and in others. */
    @ParameterizedTest
    @ValueSource(longs = {18, 162})
    void shouldFindThatFarBodiesAreMiscounted(long seed) {
        Outcome outcome = TrialRun.of(WireRun.scenario(seed, trace -> {}), 0, Promise.FAR_TOLD)
                .outcome();
        assertThat(outcome.foundBroken(Promise.FAR_TOLD)).as(outcome.toString()).isTrue();
    }
}
