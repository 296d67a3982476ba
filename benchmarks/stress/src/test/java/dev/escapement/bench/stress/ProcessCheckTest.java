package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ProcessCheckTest {

    private final Trial trial = new Trial(StressRun.promises(), null);

    /** A life that always has one file open, a new one each second, must not count as growth. */
    @ParameterizedTest
    @CsvSource({"1, ''", "1000, 'open files and sockets in a life: 1.0 more each time'"})
    void shouldFindFilesThatALifeLeavesOpen(int atOnce, String found) throws IOException {
        Deque<InputStream> open = new ArrayDeque<>();
        ProcessCheck process = new ProcessCheck(trial);
        try {
            process.begin(1, true, false);
            for (int second = 0; second < 3 * Growth.LEAST_SAMPLES; second++) {
                open.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
                if (open.size() > atOnce) {
                    open.remove().close();
                }
                process.second(Long.MAX_VALUE);
            }
        } finally {
            for (InputStream file : open) {
                file.close();
            }
        }
        assertThat(trial.check(Promise.HANDLES_CLOSED).checked()).isPositive();
        assertThat(trial.check(Promise.HANDLES_CLOSED).example()).startsWith(found);
        assertThat(trial.check(Promise.HANDLES_CLOSED).broken() > 0).isEqualTo(!found.isEmpty());
        assertThat(trial.check(Promise.THREADS_END).broken()).isZero();
    }

    @Test
    void shouldJudgeMemoryByEnoughLives() {
        ProcessCheck process = new ProcessCheck(trial);
        for (int life = 1; life <= Growth.LEAST_SAMPLES; life++) {
            assertThat(trial.check(Promise.MEMORY_FLAT).checked()).isZero();
            process.begin(1, true, false);
            process.look(1);
            process.end(life);
        }
        assertThat(trial.check(Promise.MEMORY_FLAT).checked()).isPositive();
        assertThat(trial.check(Promise.MEMORY_FLAT).broken()).isZero();
    }
}
