package dev.escapement.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real processes; every wait is for an event. */
@Timeout(60)
class BusyCoresTest {

    private static final int AN_HOUR = 3600;

    @Test
    void shouldKeepCoresBusyUntilClosed() {
        BusyCores busy = BusyCores.start(AN_HOUR);
        try (busy) {
            busy.requireRunning();
        }
        assertThat(busy.child.isAlive()).isFalse();
        assertThatIllegalStateException().isThrownBy(busy::requireRunning);
    }

    /** A terminal sends it to the child too, which its parent ends in order. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveCtrlCToItsParent() throws Exception {
        try (BusyCores busy = BusyCores.start(AN_HOUR)) {
            assertThat(Files.readString(Path.of("/proc/" + busy.child.pid() + "/status")))
                    .containsPattern("SigIgn:\\s*\\p{XDigit}*[2367abef]\n"); // 2 is the bit of INT
        }
    }

    @Test
    void shouldEndWithItsParent() throws Exception {
        try (BusyCores busy = BusyCores.start(AN_HOUR)) {
            busy.child.getOutputStream().close(); // as the operating system does for a dead parent
            assertThat(busy.child.waitFor()).isZero();
        }
    }

    @Test
    void shouldEndByItselfInAnyCase() throws Exception {
        try (BusyCores busy = BusyCores.start(0)) {
            assertThat(busy.child.waitFor()).isZero();
        }
    }
}
