package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each broken promise must be told. */
class RunResultTest {

    private static final String HELD = """
            {"ticks": 1000, "expectedTicks": 1003, "givenUpTicks": 3, "windowsChecked": 7, "inputsOffered": 9,
             "inputsAccepted": 7, "inputsRejected": 2, "inputsApplied": 6, "inputsPending": 1, "failure": ""}""";

    @Test
    void shouldHaveNoFaultWhereEveryPromiseHeld() {
        assertThat(with("ticks", 1000).faults()).isEmpty();
        assertThat(with("expectedTicks", 1004).faults()).as("within one").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tornSnapshots, 1, 1 snapshots were torn",
        "nonConsecutiveWindows, 2, 2 windows had a gap",
        "misplacedFrames, 3, 3 frames showed another time than their clock said",
        "uncountedRepeats, 4, 4 frames repeated the one before without being counted as holds",
        "expectedTicks, 1005, 1000 ticks and 3 given up are not the expected 1005",
        "expectedTicks, 1001, 1000 ticks and 3 given up are not the expected 1001",
        "inputsApplied, 5, 7 inputs accepted are not 5 applied and 1 pending",
        "inputsPending, 0, 7 inputs accepted are not 6 applied and 0 pending",
        "inputsOffered, 10, 10 inputs offered are not 7 accepted and 2 rejected",
        "windowsChecked, 0, '1000 ticks ran and 0 windows were checked, which shows nothing'",
    })
    void shouldTellEachBrokenPromise(String key, long value, String fault) {
        assertThat(with(key, value).faults()).containsExactly(fault);
    }

    @Test
    void shouldTellWhatEndedTheRun() {
        JsonObject json = new Gson().fromJson(HELD, JsonObject.class);
        json.addProperty("failure", "java.lang.IllegalStateException: bodies overlap");
        assertThat(new Gson().fromJson(json, RunResult.class).faults())
                .containsExactly("the run ended early: java.lang.IllegalStateException: bodies overlap");
    }

    private static RunResult with(String key, long value) {
        JsonObject json = new Gson().fromJson(HELD, JsonObject.class);
        json.addProperty(key, value);
        return new Gson().fromJson(json, RunResult.class);
    }
}
