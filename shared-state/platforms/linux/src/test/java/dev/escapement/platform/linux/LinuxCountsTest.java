package dev.escapement.platform.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinuxCountsTest {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path proc;

    @Test
    void shouldGiveWhatWasStolenOnceAndOnlyWhereItWas() throws IOException {
        LinuxCounts counts = new LinuxCounts(proc);
        stolenTicks(7);
        counts.look(-100 * MILLI);
        stolenTicks(9);
        counts.look(-50 * MILLI);
        counts.look(0);
        stolenTicks(10);
        counts.look(50 * MILLI);
        assertThat(counts.takeStolenNanos(-50 * MILLI, 0, 100 * MILLI)).isZero();
        assertThat(counts.takeStolenNanos(-60 * MILLI, 45 * MILLI, 15 * MILLI))
                .as("10 ms of the first 20, and 5 of the last 10")
                .isEqualTo(15 * MILLI);
        assertThat(counts.takeStolenNanos(-200 * MILLI, 200 * MILLI, 100 * MILLI))
                .isEqualTo(15 * MILLI);
        assertThat(counts.takeStolenNanos(-200 * MILLI, 200 * MILLI, 100 * MILLI))
                .isZero();
    }

    private void stolenTicks(int ticks) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  20433 12012 2551 1168 2733 0 77 " + ticks + " 0 0\ncpu0 1 1 1\n");
    }

    @Test
    void shouldAddUpThePartsOfPausesThatOverlap() {
        LinuxCounts counts = new LinuxCounts(proc);
        counts.paused(10, 20);
        counts.paused(30, 40);
        assertThat(counts.pausedNanos(15, 35)).isEqualTo(10);
        assertThat(counts.pausedNanos(20, 30)).isZero();
        counts.look(40 + 31_000 * MILLI);
        assertThat(counts.pausedNanos(15, 35)).as("long ago").isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 950000, 50", // FIFO
        "2, 900000, 100", // round-robin
        "0, 950000, 0", // an ordinary thread
        "1, -1, 0", // nothing is withheld
        "1, 1000000, 0",
    })
    void shouldSayHowMuchOfASecondIsWithheldFromAThreadOfRealTimePriority(int policy, int runtimeMicros, int millis)
            throws IOException {
        String before = "S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 1 1 1 1 1 1 1 1 1 0 0 0 0 1 0 0 17 1 10 ";
        Files.createDirectories(proc.resolve("self/task/12"));
        Files.writeString(proc.resolve("self/task/12/stat"), "12 (a name ) 1 1) " + before + policy + " 0 0 0\n");
        Files.createDirectories(proc.resolve("sys/kernel"));
        Files.writeString(proc.resolve("sys/kernel/sched_rt_runtime_us"), runtimeMicros + "\n");
        Files.writeString(proc.resolve("sys/kernel/sched_rt_period_us"), "1000000\n");
        LinuxCounts counts = new LinuxCounts(proc);
        counts.lookForRealTime();
        assertThat(counts.throttledNanos()).isEqualTo(millis * MILLI);
    }

    @Test
    void shouldCountNothingWhereThereIsNoSuchFolder() {
        LinuxCounts counts = new LinuxCounts(proc.resolve("absent"));
        counts.look(0);
        counts.look(1);
        counts.lookForRealTime();
        assertThat(counts.takeStolenNanos(0, 1, 1)).isZero();
        assertThat(counts.throttledNanos()).isZero();
    }
}
