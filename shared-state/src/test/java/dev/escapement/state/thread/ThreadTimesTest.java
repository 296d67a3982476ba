package dev.escapement.state.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.state.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadTimesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReadWaitingTimesAnewThatNeverFall() throws IOException {
        Path file = folder.resolve("schedstat");
        Files.writeString(file, "12345678901234 777000111222 3\n");
        ThreadTimes times = new SystemThreadTimes(file.toString());
        assertThat(times.waitedNanos()).isEqualTo(777000111222L);
        Files.writeString(file, "12345678901239 777000111333 4\n");
        assertThat(times.waitedNanos()).isEqualTo(777000111333L);
        Files.writeString(file, "12345678901239 5 4\n");
        assertThat(times.waitedNanos()).isEqualTo(777000111333L);
        times.close();
        times.close();
        assertThat(times.waitedNanos()).as("closed: the number stays").isEqualTo(777000111333L);
    }

    @ParameterizedTest
    @CsvSource({"0 0 0", "''", "17", "absent"})
    void shouldSayThatNothingIsCounted(String content) throws IOException {
        Path file = folder.resolve("schedstat");
        if (!content.equals("absent")) {
            Files.writeString(file, content);
        }
        ThreadTimes times = new SystemThreadTimes(file.toString());
        assertThat(times.waitedNanos()).isEqualTo(ThreadTimes.NOT_COUNTED);
        assertThat(times.waitedNanos()).isEqualTo(ThreadTimes.NOT_COUNTED);
        assertThat(ThreadTimes.notCounted().waitedNanos()).isEqualTo(ThreadTimes.NOT_COUNTED);
        assertThat(ThreadTimes.notCounted().ranNanos()).isEqualTo(ThreadTimes.NOT_COUNTED);
    }

    /** The time of a running thread counts as running, and its start as a short wait for a core. */
    @Test
    void shouldCountTheThreadThatOpenedIt() {
        try (ThreadTimes times = ThreadTimes.ofCallingThread()) {
            long before = times.ranNanos();
            Await.until(() -> times.ranNanos() != before); // ends only if this thread's running time is counted
            assumeThat(Path.of(SystemThreadTimes.SCHEDSTAT)).exists();
            assertThat(times.waitedNanos()).isPositive();
        }
    }
}
