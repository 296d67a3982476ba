package dev.escapement.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
