package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerTest {

    @Test
    void shouldReportWhatAWorkerThrewWhenItIsClosed() {
        AssertionError thrown = new AssertionError("bodies overlap");
        Worker workers = Worker.start(3, "stress-worker", (self, index) -> {
            if (index == 1) {
                throw thrown;
            }
            while (self.isRunning()) {
                Thread.onSpinWait();
            }
        });
        assertThatIllegalStateException()
                .isThrownBy(workers::close)
                .withMessage("the thread stress-worker-1 failed: " + thrown)
                .withRootCauseInstanceOf(AssertionError.class);
        assertThat(workers.hasEnded()).isTrue();
    }
}
