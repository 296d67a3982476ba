package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real processes; every wait is for an event. */
@Timeout(60)
class BusyCoresTest {

    private static final int AN_HOUR = 3600;

    @Test
    void shouldKeepEveryCoreBusyUntilClosed() {
        BusyCores busy = BusyCores.start(AN_HOUR);
        try (busy) {
            busy.requireRunning();
            assertThat(busy.children).hasSize(Runtime.getRuntime().availableProcessors());
        }
        assertThat(busy.children).noneMatch(Process::isAlive);
        assertThatIllegalStateException().isThrownBy(busy::requireRunning).withMessageStartingWith("only 0 of ");
    }

    @Test
    void shouldEndWhenTheParentDies() throws Exception {
        try (BusyCores busy = BusyCores.start(AN_HOUR)) {
            for (Process child : busy.children) {
                child.getOutputStream().close(); // as the operating system does for a dead parent
                assertThat(child.waitFor()).isZero();
            }
        }
    }

    @Test
    void shouldEndByThemselvesInAnyCase() throws Exception {
        try (BusyCores busy = BusyCores.start(0)) {
            for (Process child : busy.children) {
                assertThat(child.waitFor()).isZero();
            }
        }
    }
}
