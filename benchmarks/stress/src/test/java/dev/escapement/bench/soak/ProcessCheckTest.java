package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProcessCheckTest {

    private final Trial trial = new Trial(StressRun.promises(), null);
    private final Notes notes = new Notes();

    private void live(int lives) {
        ProcessCheck process = new ProcessCheck(trial, notes);
        for (int life = 1; life <= lives; life++) {
            process.begin(1, true);
            process.look(1);
            process.end(life);
        }
        process.close();
    }

    @Test
    void shouldSayThatFewSamplesShowNothingOfMemory() {
        live(Growth.LEAST_SAMPLES - 1);
        assertThat(trial.check(Promise.MEMORY_FLAT).checked()).isZero();
        assertThat(notes.leftOut().get("memory-flat")).contains("14 samples");
    }

    @Test
    void shouldJudgeMemoryByEnoughLives() {
        live(Growth.LEAST_SAMPLES);
        assertThat(trial.check(Promise.MEMORY_FLAT).checked()).isPositive();
        assertThat(trial.check(Promise.MEMORY_FLAT).broken()).isZero();
        assertThat(notes.leftOut()).doesNotContainKey("memory-flat");
    }
}
