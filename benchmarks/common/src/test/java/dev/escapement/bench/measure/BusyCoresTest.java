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
    void shouldKeepEveryCoreBusyUntilClosedOrTheParentDies() throws Exception {
        BusyCores busy = BusyCores.start(AN_HOUR);
        int cores = Runtime.getRuntime().availableProcessors();
        try (busy) {
            busy.requireRunning();
            assertThat(busy.children).hasSize(cores);
            Process orphan = busy.children.get(0);
            orphan.getOutputStream().close(); // as the operating system does for a dead parent
            assertThat(orphan.waitFor()).isZero();
            assertThatIllegalStateException()
                    .isThrownBy(busy::requireRunning)
                    .withMessageStartingWith("only " + (cores - 1) + " of ");
        }
        assertThat(busy.children).noneMatch(Process::isAlive);
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
