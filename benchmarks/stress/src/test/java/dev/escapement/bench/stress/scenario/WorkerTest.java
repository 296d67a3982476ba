package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerTest {

    private static final int THREADS = 3;

    @Test
    void shouldReportWhatAWorkerThrewAndEndTheOthers() {
        AssertionError thrown = new AssertionError("bodies overlap");
        CountDownLatch ended = new CountDownLatch(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> Worker.during(
                        THREADS,
                        worker -> {
                            if (worker == 1) {
                                ended.countDown();
                                throw thrown;
                            }
                        },
                        () -> await(ended)))
                .withMessage("the thread stress-worker-1 failed: " + thrown)
                .withRootCauseInstanceOf(AssertionError.class);
    }

    @Test
    void shouldEndThemWhenTheRestThrows() {
        IllegalArgumentException thrown = new IllegalArgumentException("no such world");
        Thread[] working = new Thread[1];
        CountDownLatch works = new CountDownLatch(1);
        assertThatThrownBy(() -> Worker.during(
                        1,
                        worker -> {
                            working[0] = Thread.currentThread();
                            works.countDown();
                        },
                        () -> {
                            await(works);
                            throw thrown;
                        }))
                .isSameAs(thrown);
        assertThat(working[0].isAlive()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
