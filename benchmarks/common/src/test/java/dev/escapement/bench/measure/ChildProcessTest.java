package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real processes; every wait but that for one that hangs is for an event. */
@Timeout(60)
class ChildProcessTest {

    private static final long A_MINUTE = 60_000_000_000L;

    @Test
    void shouldHaveNothingToSayOfAProcessThatEndsWell() throws Exception {
        assertThat(failureOf("fine", A_MINUTE)).isEmpty();
    }

    @Test
    void shouldTellHowAProcessDied() throws Exception {
        assertThat(failureOf("die", A_MINUTE)).contains("ended with exit code 7; it wrote: before | out of luck");
    }

    @Test
    void shouldKillAProcessThatHangs() throws Exception {
        assertThat(failureOf("hang", 100_000_000))
                .contains("did not end within 0.1 s and was killed; it wrote nothing");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    private static Optional<String> failureOf(String what, long patienceNanos) throws Exception {
        return ChildProcess.failureOf(ChildProcess.java(List.of(), ChildFixture.class, List.of(what)), patienceNanos);
    }
}
