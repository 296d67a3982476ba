package dev.escapement.platform.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxCountsTest {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path proc;

    @Test
    void shouldReturnStolenTimeOnce() throws IOException {
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
}
