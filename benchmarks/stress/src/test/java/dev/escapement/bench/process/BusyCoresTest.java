package dev.escapement.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Starts real processes. Every wait is for an event, not for a time. */
@Timeout(60)
class BusyCoresTest {

    private static final int AN_HOUR = 3600;

    /** A terminal sends Ctrl-C to the child, too. The child must ignore it, because the parent ends the child in order. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepCoresBusyAndIgnoreCtrlCUntilClosed() throws IOException {
        BusyCores busy = BusyCores.start(AN_HOUR);
        try (busy) {
            busy.requireRunning();
            assertThat(Files.readString(Path.of("/proc/" + busy.child.pid() + "/status")))
                    // SIGINT's bit has the value 2 in the last digit.
                    .containsPattern("SigIgn:\\s*\\p{XDigit}*[2367abef]\n");
        }
        assertThat(busy.child.isAlive()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(busy::requireRunning)
                .withMessageContaining("the busy child process has ended");
    }

    @Test
    void shouldEndWithItsParent() throws Exception {
        try (BusyCores busy = BusyCores.start(AN_HOUR)) {
            // Closes the child's standard input, as the operating system does when the parent dies.
            busy.child.getOutputStream().close();
            assertThat(busy.child.waitFor()).isZero();
        }
    }
}
